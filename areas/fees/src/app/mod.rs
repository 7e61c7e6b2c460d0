//! The operations of this area, the rules that are more than a shape, and the making of charges.
//! Knows no HTTP and no SQL.

pub mod account_record;
pub mod act;
pub mod block_rules;
pub mod charge;
pub mod give_back;
pub mod record_rules;
pub mod synchronization_job;

use octavo_records::StoreError;

use crate::accounting::Refusal;

/// Why an operation did not take place.
#[derive(Debug, thiserror::Error)]
pub enum Declined {
    /// The accounts stand against it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The records do.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<octavo_postgres::DatabaseError> for Declined {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> Declined {
        Declined::Store(error.into())
    }
}
