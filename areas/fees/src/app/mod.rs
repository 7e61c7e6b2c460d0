//! The operations of this area, validation beyond shapes, and charging. Knows no HTTP and no SQL.

pub mod account_record;
pub mod act;
pub mod block_rules;
pub mod charge;
pub mod give_back;
pub mod manual_block;
pub mod record_rules;
pub mod synchronization_job;

use octavo_records::OperationError;

use crate::accounting::Refusal;

impl octavo_records::Refusal for Refusal {}

/// Why an operation failed.
pub type Declined = OperationError<Refusal>;
