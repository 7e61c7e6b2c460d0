//! The operations of finance. Knows no HTTP.

pub mod delete_budget;
pub mod lookups;
pub mod status;
pub mod transactions;

use octavo_records::{OperationError, Refusal};

use crate::rules::batch::BatchRefusal;

impl Refusal for BatchRefusal {}

/// Why a batch failed.
pub type BatchDeclined = OperationError<BatchRefusal>;
