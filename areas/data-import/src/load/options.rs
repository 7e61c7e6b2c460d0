//! Options, events and results of a load.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use octavo_cataloging::bulk::{HoldingsOptions, Unknown};
use octavo_library::JobExecutionId;
use octavo_mapping::{RecordKind, References, Rules};
use octavo_postgres::BuildProgress;
use octavo_records::StoreError;

use super::aside::RECORDS_MIN;
use super::match_key::Match;
use super::single::Singly;

/// The default number of records per transaction.
const BATCH_RECORDS_DEFAULT: usize = 500;

/// The options of a load.
#[derive(Debug, Clone)]
pub struct LoadOptions {
    /// The name of the source, for people.
    pub file_name: String,
    /// Identifies the same file with the same options. Without it a load cannot be resumed or
    /// recognised.
    pub fingerprint: Option<String>,
    /// Load it even if it was loaded before.
    pub again: bool,
    /// The mapping rules.
    pub rules: Arc<Rules>,
    /// The reference lists.
    pub references: Arc<References>,
    /// Options of holdings, if they are to be created.
    pub holdings: Option<HoldingsOptions>,
    /// About how many records the input has, if that is known.
    pub expected_records: Option<u64>,
    /// A first load of at least as many builds indexes at its end.
    pub aside_from: u64,
    /// Records stored in one transaction; at least 1.
    pub batch_records: usize,
    /// Whether problems include the bytes of their records.
    pub with_bytes: bool,
    /// The match criterion; without it all records are new.
    pub matching: Option<Match>,
    /// Whether matched records update existing ones.
    pub update: bool,
    /// Restricts the load to one kind of record.
    pub kind: Option<RecordKind>,
    /// Stores updates, holdings and authorities; without it these are set aside.
    pub singly: Option<Arc<dyn Singly>>,
}

impl LoadOptions {
    /// Instances and source records only, without a fingerprint.
    #[must_use]
    pub fn new(file_name: &str, rules: Arc<Rules>, references: Arc<References>) -> LoadOptions {
        LoadOptions {
            file_name: file_name.to_owned(),
            fingerprint: None,
            again: false,
            rules,
            references,
            holdings: None,
            expected_records: None,
            aside_from: RECORDS_MIN,
            batch_records: BATCH_RECORDS_DEFAULT,
            with_bytes: false,
            matching: None,
            update: false,
            kind: None,
            singly: None,
        }
    }
}

/// Events of a load.
#[derive(Debug, Clone)]
pub enum LoadEvent {
    /// It starts or resumes.
    Begun(Progress),
    /// So many indexes are dropped until its end.
    IndexesAside(usize),
    /// One of them is being built.
    Index(BuildProgress),
    /// They are built.
    IndexesBuilt {
        built: usize,
        /// How many could not be built: the list of indexes has the reasons.
        failed: usize,
        elapsed: Duration,
    },
    /// A batch has been stored.
    Progress(Progress),
    /// A record was set aside.
    Problem(LoadProblem),
    /// A record set aside before the interruption.
    EarlierProblem(LoadProblem),
}

/// A record that was set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadProblem {
    /// Its number in the input, from 1.
    pub position: u64,
    /// Where its first byte is in the input.
    pub byte_offset: u64,
    /// Its control number, field 001; may be empty.
    pub control_number: String,
    /// The reason.
    pub reason: String,
    /// The raw record, if requested.
    pub bytes: Vec<u8>,
}

/// The progress of a load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// The load: a job, and the snapshot that its source records belong to.
    pub job_id: JobExecutionId,
    /// Processed records, problems included.
    pub position: u64,
    /// The bytes of the input up to there; 0 right after a load continues.
    pub bytes: u64,
    /// Instances stored, each with a source record.
    pub created: u64,
    /// Records that updated existing ones, and stored holdings and authorities.
    pub updated: u64,
    /// Records skipped because an instance exists.
    pub matched: u64,
    /// Holdings stored.
    pub holdings: u64,
    /// Items stored.
    pub items: u64,
    /// Records set aside.
    pub problems: u64,
}

/// The result of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loaded {
    /// The whole input was processed.
    Complete(Progress),
    /// Nothing was done: the same was loaded before.
    Before {
        /// Its progress.
        progress: Progress,
        /// Its end.
        finished_at: Timestamp,
    },
}

/// Why a load ended early. Stored batches stay, and the next load of the same file continues after them.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// An option names something that the tenant does not have.
    #[error("there is no {what} {id} in this tenant")]
    Unknown {
        /// The option's record type.
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
    /// A task of the load panicked: a fault of ours.
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
