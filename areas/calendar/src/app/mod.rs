//! The operations of calendars, one a file.

pub mod delete;
pub mod save;

use octavo_records::{Context, OperationError};
use uuid::Uuid;

use crate::rules::Problem;

/// Why an operation is not to take place.
#[derive(Debug)]
pub enum Refusal {
    /// The calendar is not as it must be.
    Problems(Vec<Problem>),
    /// There are no calendars of these ids.
    NotFound(Vec<Uuid>),
}

impl octavo_records::Refusal for Refusal {}

/// Why an operation did not take place.
pub type Declined = OperationError<Refusal>;
