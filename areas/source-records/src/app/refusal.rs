//! Refusals of operations on source records, with FOLIO's messages.

use octavo_library::{MatchedId, SnapshotId};
use octavo_records::StoreError;
use uuid::Uuid;

use super::search::IdType;

#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no such record.
    #[error("Record with id '{0}' was not found")]
    RecordNotFound(Uuid),
    /// There is no record with this external id.
    #[error("Record with {} id: {id} was not found", kind.name())]
    RecordOfNotFound {
        /// The type of the id.
        kind: IdType,
        id: Uuid,
    },
    /// There is no such snapshot.
    #[error("Snapshot with id '{0}' was not found")]
    SnapshotNotFound(SnapshotId),
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
    /// A new generation with another record's id.
    #[error("Matched id ({0}) not equal to 999ff$s ({1}) field")]
    OtherRecord(MatchedId, String),
    /// A new generation of an unknown record.
    #[error("Record with given matched id ({0}) not found")]
    NoGeneration(MatchedId),
    /// A batch of records of several snapshots.
    #[error("Batch record collection only supports single snapshot")]
    SeveralSnapshots,
    /// A batch of records of several types.
    #[error("Batch record collection only supports single record type")]
    SeveralTypes,
    /// A parsed part without an id.
    #[error("Each parsed record should contain an id")]
    ParsedIdMissing,
    /// A record of a batch exists already.
    #[error("SQL Unique constraint violation prevented repeatedly saving the record")]
    AlreadySaved,
    /// More records than one request may bring.
    #[error("The number of records should not exceed {0}")]
    TooMany(usize),
    /// Unknown migrations.
    #[error("Specified migrations are not supported. Migrations: [{0}]")]
    UnknownMigrations(String),
    /// A migration while another is running.
    #[error(
        "Failed to initiate migration job, because migration job with id '{0}' already in progress"
    )]
    MigrationUnderWay(Uuid),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<octavo_postgres::DatabaseError> for Refusal {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> Refusal {
        Refusal::Store(error.into())
    }
}
