//! How areas turn their refusals into HTTP responses.

use octavo_records::{OperationError, Refusal};

use crate::error::ApiError;

/// A refusal whose response depends on nothing but itself. The area implements this as one table:
/// each refusal with its status, in the error dialect of its interface.
pub trait Answer: Refusal {
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
