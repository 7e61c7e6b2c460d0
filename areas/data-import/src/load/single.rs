//! Records that are stored one by one: updates, holdings and authorities.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

use octavo_library::SnapshotId;
use octavo_mapping::RecordKind;
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::Context;
use octavo_records::StoreError;
use uuid::Uuid;

/// A record stored individually.
#[derive(Debug, Clone)]
pub struct Single {
    /// Its number in the input, from 1.
    pub position: u64,
    /// What it describes.
    pub kind: RecordKind,
    /// The raw record.
    pub bytes: Vec<u8>,
    /// The parsed record.
    pub record: Record,
    /// The record to update; `None` for a new one.
    pub changes: Option<Uuid>,
    /// Its snapshot.
    pub snapshot_id: SnapshotId,
}

/// Why a single record was not stored.
#[derive(Debug)]
pub enum Refused {
    /// A refusal of the record, with the reason.
    Record(String),
    /// A database error.
    Store(StoreError),
}

/// The future of storing a record.
pub type Storing<'a> = Pin<Box<dyn Future<Output = Result<(), Refused>> + Send + 'a>>;

/// Stores single records with the operations that write a MARC record and its derived records together.
pub trait Singly: Debug + Send + Sync {
    /// Stores a record inside a transaction. After a refusal the caller rolls back to a savepoint.
    fn store<'a>(
        &'a self,
        context: &'a Context<'a>,
        transaction: &'a Transaction,
        single: Single,
    ) -> Storing<'a>;
}

/// What a record describes, by position 6 of its leader.
pub(super) fn kind_of(record: &Record) -> RecordKind {
    match record.leader.record_type() {
        'u' | 'v' | 'x' | 'y' => RecordKind::Holdings,
        'z' => RecordKind::Authority,
        _ => RecordKind::Bib,
    }
}
