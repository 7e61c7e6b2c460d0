//! The operations of this area, the rules that are more than a shape, and the making of charges.
//! Knows no HTTP and no SQL.

pub mod account_record;
pub mod act;
pub mod block_rules;
pub mod charge;
pub mod give_back;
pub mod record_rules;
pub mod synchronization_job;

use octavo_records::OperationError;

use crate::accounting::Refusal;

impl octavo_records::Refusal for Refusal {}

/// Why an operation did not take place.
pub type Declined = OperationError<Refusal>;
