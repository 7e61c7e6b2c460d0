//! The failure of an operation: a refusal of the area, or an error of the record store.

use std::fmt;

use octavo_postgres::DatabaseError;

use crate::error::StoreError;
use crate::retry::Contention;

/// Why an area refuses an operation: a value, not a fault. The area maps it to a response in one
/// table without a wildcard arm, so that a forgotten refusal does not compile.
pub trait Refusal: fmt::Debug {}

/// Why an operation failed.
#[derive(Debug)]
pub enum OperationError<R> {
    /// A rule of the area forbids it.
    Refused(R),
    /// The record store refused or failed.
    Store(StoreError),
}

impl<R: Refusal> From<R> for OperationError<R> {
    fn from(refusal: R) -> OperationError<R> {
        OperationError::Refused(refusal)
    }
}

impl<R> From<StoreError> for OperationError<R> {
    #[track_caller]
    fn from(error: StoreError) -> OperationError<R> {
        OperationError::Store(error)
    }
}

impl<R> From<DatabaseError> for OperationError<R> {
    #[track_caller]
    fn from(error: DatabaseError) -> OperationError<R> {
        OperationError::Store(error.into())
    }
}

impl<R> Contention for OperationError<R> {
    fn is_contention(&self) -> bool {
        matches!(self, OperationError::Store(error) if error.is_contention())
    }
}
