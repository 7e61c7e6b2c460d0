//! Refusals of areas on the wire.

use octavo_records::{OperationError, Refusal};

use crate::error::ApiError;

/// A refusal whose answer depends on nothing but itself. The area's handlers say it as one table, each
/// refusal with its status and in the dialect of its interface.
pub trait Answer: Refusal {
    /// Its answer.
    fn answer(self) -> ApiError;
}

impl<R: Answer> From<OperationError<R>> for ApiError {
    fn from(error: OperationError<R>) -> ApiError {
        match error {
            OperationError::Refused(refusal) => refusal.answer(),
            OperationError::Store(error) => error.into(),
        }
    }
}
