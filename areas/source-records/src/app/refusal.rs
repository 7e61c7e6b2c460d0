//! Why an operation on source records was not carried out, in FOLIO's sentences.

use octavo_records::StoreError;
use uuid::Uuid;

use super::search::IdType;

/// A refusal.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no such record.
    #[error("Record with id '{0}' was not found")]
    RecordNotFound(Uuid),
    /// There is no record for that thing.
    #[error("Record with {} id: {id} was not found", kind.name())]
    RecordOfNotFound {
        /// What the id is of.
        kind: IdType,
        /// The id.
        id: Uuid,
    },
    /// There is no such snapshot.
    #[error("Snapshot with id '{0}' was not found")]
    SnapshotNotFound(Uuid),
    /// The snapshot takes no records yet.
    #[error(
        "Date when processing started is not set, expected snapshot status is \
         PARSING_IN_PROGRESS, actual - {0}"
    )]
    SnapshotNotStarted(String),
    /// A bibliographic record without its instance.
    #[error(
        "MARC_BIB records must contain external instance and hr id's and 001 field into parsed \
         record"
    )]
    ExternalIdsMissing,
    /// A new generation that says it is of another record.
    #[error("Matched id ({0}) not equal to 999ff$s ({1}) field")]
    OtherRecord(Uuid, String),
    /// A new generation of nothing.
    #[error("Record with given matched id ({0}) not found")]
    NoGeneration(Uuid),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<octavo_postgres::DatabaseError> for Refusal {
    fn from(error: octavo_postgres::DatabaseError) -> Refusal {
        Refusal::Store(error.into())
    }
}
