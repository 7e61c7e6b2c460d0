//! Records that are stored one by one: those that change what is there, and holdings and authorities.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

use octavo_mapping::RecordKind;
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::Context;
use octavo_records::StoreError;
use uuid::Uuid;

/// A record that is stored by itself.
#[derive(Debug, Clone)]
pub struct Single {
    /// Its number in the input, from 1.
    pub position: u64,
    /// What it describes.
    pub kind: RecordKind,
    /// The record exactly as it is in the input.
    pub bytes: Vec<u8>,
    /// The record as it was read.
    pub record: Record,
    /// What it changes; without it, it is new.
    pub changes: Option<Uuid>,
    /// The snapshot that it comes with.
    pub snapshot_id: Uuid,
}

/// Why a single record was not stored.
#[derive(Debug)]
pub enum Refused {
    /// It is the record's fault; the reason.
    Record(String),
    /// The database failed, or refused it.
    Store(StoreError),
}

/// What is being done, until it is done.
pub type Storing<'a> = Pin<Box<dyn Future<Output = Result<(), Refused>> + Send + 'a>>;

/// What stores single records: the operations that write a MARC record and what follows from it
/// together, whoever asks for them.
pub trait Singly: Debug + Send + Sync {
    /// Stores a record within a transaction. After a refusal the caller takes back what was written.
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
