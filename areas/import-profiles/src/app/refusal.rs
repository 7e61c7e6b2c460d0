//! Why an operation is not carried out, in FOLIO's messages.

use octavo_records::{Contention, StoreError};

use crate::tree::TreeError;

/// A refusal; nothing is written then.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no such record.
    #[error("{0}")]
    NotFound(String),
    /// The request is malformed, or about a record that nobody may change.
    #[error("{0}")]
    Improper(String),
    /// The record is in use.
    #[error("{0}")]
    InUse(String),
    /// The document is invalid; one message for each reason.
    #[error("{}", .0.join(", "))]
    Invalid(Vec<String>),
    /// A refusal or failure of the store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Refusal {
    /// An invalid document, for one reason.
    #[must_use]
    pub fn invalid(message: impl Into<String>) -> Refusal {
        Refusal::Invalid(vec![message.into()])
    }
}

impl From<TreeError> for Refusal {
    fn from(error: TreeError) -> Refusal {
        Refusal::invalid(error.to_string())
    }
}

impl From<octavo_postgres::DatabaseError> for Refusal {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> Refusal {
        Refusal::Store(error.into())
    }
}

impl Contention for Refusal {
    fn is_contention(&self) -> bool {
        matches!(self, Refusal::Store(error) if error.is_contention())
    }
}
