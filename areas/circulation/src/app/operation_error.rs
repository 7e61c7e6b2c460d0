//! Errors of operations other than on loans.

use octavo_records::{Contention, StoreError};
use uuid::Uuid;

use crate::refusal::DeskRefusal;

/// Why an operation beside the loan did not take place.
#[derive(Debug, thiserror::Error)]
pub enum OperationError {
    #[error("refused")]
    Refused(DeskRefusal),
    /// The record does not exist.
    #[error("{what} record with ID \"{id}\" cannot be found")]
    NotFound {
        /// `request` and the like.
        what: &'static str,
        /// The id asked for.
        id: Uuid,
    },
    /// A refusal or failure of the store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<octavo_postgres::DatabaseError> for OperationError {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> OperationError {
        OperationError::Store(error.into())
    }
}

impl Contention for OperationError {
    fn is_contention(&self) -> bool {
        matches!(self, OperationError::Store(error) if error.is_contention())
    }
}
