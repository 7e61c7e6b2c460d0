//! How an operation ends that does not take place: refused, in the area's own words, or stopped by the
//! records.

use std::fmt;

use octavo_postgres::DatabaseError;

use crate::error::StoreError;
use crate::retry::Contention;

/// Why an area does not do what it is asked for: a value, and no fault. How it is answered on the wire is
/// one table of the area's, without a row for "all others", so that a forgotten one does not compile.
pub trait Refusal: fmt::Debug {}

/// Why an operation did not take place.
#[derive(Debug)]
pub enum OperationError<R> {
    /// The rules of the area stand against it.
    Refused(R),
    /// The records do, or the database does not answer.
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
