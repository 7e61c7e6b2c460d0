//! The operations of finance. Knows no HTTP.

pub mod composite_fund;
pub mod delete_budget;
pub mod exchange;
pub mod expense_classes;
pub mod finance_data;
pub mod lookups;
pub mod move_money;
pub mod recalculate;
pub mod rollover;
pub mod shared_budget;
pub mod status;
pub mod transactions;
pub mod units;

use octavo_records::{OperationError, Refusal};

use crate::rules::batch::BatchRefusal;

impl Refusal for BatchRefusal {}

/// Why a batch failed.
pub type BatchDeclined = OperationError<BatchRefusal>;
