//! The operations of calendars, one per file.

pub mod delete;
pub mod save;

use octavo_records::{Context, OperationError};
use uuid::Uuid;

use crate::rules::Problem;

/// Why an operation is refused.
#[derive(Debug)]
pub enum Refusal {
    /// The calendar has errors.
    Problems(Vec<Problem>),
    /// There are no calendars of these ids.
    NotFound(Vec<Uuid>),
}

impl octavo_records::Refusal for Refusal {}

/// Why an operation failed.
pub type Declined = OperationError<Refusal>;
