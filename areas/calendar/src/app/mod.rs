//! The operations of calendars, one a file.

pub mod delete;
pub mod save;

use octavo_records::{Context, StoreError};
use uuid::Uuid;

use crate::rules::Problem;

/// Why an operation did not take place.
#[derive(Debug, thiserror::Error)]
pub enum Declined {
    /// The calendar is not as it must be.
    #[error("refused")]
    Refused(Vec<Problem>),
    /// There are no calendars of these ids.
    #[error("not found")]
    NotFound(Vec<Uuid>),
    /// The records stand against it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<octavo_postgres::DatabaseError> for Declined {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> Declined {
        Declined::Store(error.into())
    }
}
