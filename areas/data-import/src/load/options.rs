//! What is asked of a load, and what it tells.

use std::sync::Arc;

use jiff::Timestamp;
use octavo_cataloging::bulk::{HoldingsOptions, Unknown};
use octavo_mapping::{RecordKind, References, Rules};
use octavo_records::StoreError;
use uuid::Uuid;

use super::matching::Match;
use super::single::Singly;

/// Records stored in one transaction, if nothing else is said.
const BATCH_RECORDS_DEFAULT: usize = 500;

/// What a load is of, and what it makes of each record.
#[derive(Debug, Clone)]
pub struct LoadOptions {
    /// What the records come from, as it is told to people.
    pub file_name: String,
    /// By which the same file with the same options is known again. Without it a load cannot be
    /// resumed, and is not known again.
    pub fingerprint: Option<String>,
    /// Load it even if it was loaded before.
    pub again: bool,
    /// What maps the records.
    pub rules: Arc<Rules>,
    /// The lists that the rules look things up in.
    pub references: Arc<References>,
    /// Holdings, if wanted.
    pub holdings: Option<HoldingsOptions>,
    /// Records stored in one transaction; at least 1.
    pub batch_records: usize,
    /// Whether problems bring the bytes of their records.
    pub with_bytes: bool,
    /// By what records are found to be there already; without it all are new.
    pub matching: Option<Match>,
    /// Whether records that exist already change what is there.
    pub update: bool,
    /// The only kind of record that is wanted.
    pub kind: Option<RecordKind>,
    /// What stores records that change what is there, holdings and authorities; without it these are
    /// set aside.
    pub singly: Option<Arc<dyn Singly>>,
}

impl LoadOptions {
    /// Instances and source records only, of input that is not known again.
    #[must_use]
    pub fn new(file_name: &str, rules: Arc<Rules>, references: Arc<References>) -> LoadOptions {
        LoadOptions {
            file_name: file_name.to_owned(),
            fingerprint: None,
            again: false,
            rules,
            references,
            holdings: None,
            batch_records: BATCH_RECORDS_DEFAULT,
            with_bytes: false,
            matching: None,
            update: false,
            kind: None,
            singly: None,
        }
    }
}

/// What happens while a load runs.
#[derive(Debug, Clone)]
pub enum LoadEvent {
    /// It begins; or continues where it was cut off.
    Begun(Progress),
    /// A batch has been stored.
    Progress(Progress),
    /// A record was set aside.
    Problem(LoadProblem),
    /// A record that was set aside before the load was cut off.
    EarlierProblem(LoadProblem),
}

/// A record that was set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadProblem {
    /// Its number in the input, from 1.
    pub position: u64,
    /// Where its first byte is in the input.
    pub byte_offset: u64,
    /// Its control number, field 001; empty where it has none.
    pub control_number: String,
    /// Why.
    pub reason: String,
    /// The record as it is in the input, where that was asked for.
    pub bytes: Vec<u8>,
}

/// How far a load has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// The load: a job, and the snapshot that its source records belong to.
    pub job_id: Uuid,
    /// Records that are done with, problems included.
    pub position: u64,
    /// The bytes of the input up to there; 0 right after a load continues.
    pub bytes: u64,
    /// Instances stored, each with a source record.
    pub created: u64,
    /// Records that changed what was there, and holdings and authorities that were stored.
    pub updated: u64,
    /// Records left alone, for an instance exists already.
    pub matched: u64,
    /// Holdings stored.
    pub holdings: u64,
    /// Items stored.
    pub items: u64,
    /// Records set aside.
    pub problems: u64,
}

/// How a load ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loaded {
    /// All of the input is done with.
    Complete(Progress),
    /// Nothing was done: the same was loaded before.
    Before {
        /// What that load did.
        progress: Progress,
        /// When it ended.
        finished_at: Timestamp,
    },
}

/// Why a load ended early. What was stored until then stays, and the next load of the same file
/// continues after it.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// An option names something that the tenant does not have.
    #[error("there is no {what} {id} in this tenant")]
    Unknown {
        /// What was named.
        what: &'static str,
        id: String,
    },
    /// Another process loads the same.
    #[error("another process is loading this file")]
    Elsewhere,
    /// The input cannot be read.
    #[error("the input cannot be read")]
    Input(#[source] std::io::Error),
    /// The database failed.
    #[error("the records could not be stored")]
    Store(#[from] StoreError),
    /// A part of the load stopped: a fault of ours.
    #[error("a part of the load stopped: {0}")]
    Task(String),
}

impl From<Unknown> for LoadError {
    fn from(unknown: Unknown) -> LoadError {
        match unknown {
            Unknown::Record { what, id } => LoadError::Unknown { what, id },
            Unknown::Store(error) => LoadError::Store(error),
        }
    }
}

impl From<octavo_postgres::DatabaseError> for LoadError {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> LoadError {
        LoadError::Store(error.into())
    }
}
