//! Refusals of operations, with FOLIO's messages.

use octavo_records::{Contention, StoreError};
use uuid::Uuid;

#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no such record of this kind.
    #[error("{kind} with ID [{id}] was not found")]
    NotFound {
        /// FOLIO's name of the kind.
        kind: &'static str,
        /// The id, or the list of ids.
        id: String,
    },
    /// A new record names an unknown source file.
    #[error("Authority Source File with the given 'id' does not exists.")]
    NoSuchSourceFile,
    /// The record changed since the client read it.
    #[error(
        "Cannot update record {id} because it has been changed (optimistic locking): Stored _version \
         is {stored}, _version of request is {sent}"
    )]
    Changed {
        /// The record.
        id: Uuid,
        /// The version in the database.
        stored: i64,
        /// The version of the request.
        sent: i64,
    },
    /// An invalid request.
    #[error("{message}")]
    Invalid {
        /// FOLIO's message.
        message: String,
        /// The error parameters.
        parameters: Vec<(String, String)>,
    },
    /// A unique value is taken; the code is FOLIO's.
    #[error("{message}")]
    Taken {
        /// FOLIO's message.
        message: &'static str,
        /// FOLIO's code.
        code: &'static str,
    },
    /// A source file without HRIDs.
    #[error(
        "Cannot get next HRID for source file [id: {0}, cause: source file doesn't support HRID \
         generation]"
    )]
    NoNumbers(Uuid),
    /// A finished job cannot be cancelled.
    #[error("The job has been finished")]
    Finished,
    /// Too many jobs wait.
    #[error("Too many jobs are not finished yet; wait until one of them is, or cancel one")]
    Crowded,
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Refusal {
    /// There is no such record.
    #[must_use]
    pub fn not_found(kind: &'static str, id: impl ToString) -> Refusal {
        let id = id.to_string();
        Refusal::NotFound { kind, id }
    }

    /// An invalid request, with one parameter.
    #[must_use]
    pub fn invalid(message: impl Into<String>, key: &str, value: impl ToString) -> Refusal {
        Refusal::Invalid {
            message: message.into(),
            parameters: vec![(key.to_owned(), value.to_string())],
        }
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
