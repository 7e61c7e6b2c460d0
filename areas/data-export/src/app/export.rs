//! Exports in portions, each read by one statement and converted to bytes.
//!
//! Two stages are pipelined: while one portion is converted, the database reads the next.

use std::sync::Arc;

use octavo_library::ExportJobId;
use octavo_postgres::Database;
use octavo_records::plan::Predicate;
use octavo_records::{StoreError, Tenant};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::making::Making;
use super::{Failure, Reason};
use crate::marc::{Form, Format};
use crate::rules::{Profile, References};
use crate::store::records::{ExportedKind, Ids, Portion, Reader};
use crate::store::references;

/// Records read in one statement; fewer where these have many bytes.
pub const PORTION: i64 = 1_000;
/// Portions that wait for conversion.
const WAITING: usize = 1;

/// The options of an export.
#[derive(Debug, Clone)]
pub struct ExportOptions {
    /// What kind of record.
    pub kind: ExportedKind,
    /// The form.
    pub form: Form,
    /// The format.
    pub format: Format,
    /// The profile.
    pub profile: Profile,
    /// Whether deleted records are exported.
    pub deleted: Deleted,
}

/// Selection by the deletion mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    Either,
    /// Without deleted records.
    None,
    /// Only deleted records.
    Only,
}

impl Deleted {
    pub(super) fn refuses(self, is_deleted: impl Fn() -> bool) -> Option<Reason> {
        match self {
            Deleted::Either => None,
            Deleted::None => is_deleted().then_some(Reason::Deleted),
            Deleted::Only => (!is_deleted()).then_some(Reason::NotDeleted),
        }
    }
}

/// The result for a portion, or for a part of it.
#[derive(Debug, Default)]
pub struct ExportedPortion {
    /// The records' bytes.
    pub bytes: Vec<u8>,
    /// How many there are.
    pub exported: u64,
    /// The omitted records.
    pub failures: Vec<Failure>,
    /// The position of the last one.
    pub reached: i64,
}

/// Converts portions to bytes.
#[derive(Debug, Clone)]
pub struct Exporter {
    pub(super) reader: Reader,
    pub(super) wanted: Arc<ExportOptions>,
    pub(super) references: Arc<References>,
}

impl Exporter {
    /// An export of a tenant's records.
    pub async fn open(
        database: &Database,
        tenant: &Tenant,
        wanted: ExportOptions,
    ) -> Result<Exporter, StoreError> {
        let reader = Reader::open(database, tenant).await?;
        let references = references::read(database, tenant).await?;
        Ok(Exporter {
            reader,
            wanted: Arc::new(wanted),
            references: Arc::new(references),
        })
    }

    /// The reader of the tenant's records.
    #[must_use]
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The next records of a job's list, as many as fit.
    pub async fn listed(
        &self,
        job: ExportJobId,
        behind: i64,
        most: i64,
    ) -> Result<Making, StoreError> {
        let listed = Ids::Listed(job, behind);
        let portion = self.reader.among(self.wanted.kind, listed, most).await?;
        Ok(Making::of(self.clone(), portion))
    }

    /// One record.
    pub async fn one(&self, id: Uuid) -> Result<ExportedPortion, StoreError> {
        let these = Ids::These(&[id]);
        let portion = self.reader.among(self.wanted.kind, these, 1).await?;
        let made = Making::of(self.clone(), portion).next().await?;
        Ok(made.unwrap_or_default())
    }

    /// All instances that a predicate finds, in the order of their HRIDs, portion by portion.
    pub fn walk(&self, predicate: Predicate) -> Walk {
        // The channel is bounded: the next portion is read while one is converted, and no further one.
        let (portions, read) = mpsc::channel(WAITING);
        let reader = self.reader.clone();
        let reading = tokio::spawn(async move {
            let mut behind = String::new();
            loop {
                let portion = reader.walk(&predicate, &behind, PORTION).await?;
                let (key, is_last) = (portion.key.clone(), portion.is_last);
                if portions.send(portion).await.is_err() || is_last {
                    return Ok(());
                }
                match key {
                    Some(key) => behind = key,
                    None => return Ok(()),
                }
            }
        });
        Walk {
            exporter: self.clone(),
            read,
            reading: Some(reading),
            making: None,
        }
    }
}

/// A running export.
#[derive(Debug)]
pub struct Walk {
    exporter: Exporter,
    read: mpsc::Receiver<Portion>,
    reading: Option<JoinHandle<Result<(), StoreError>>>,
    making: Option<Making>,
}

impl Walk {
    /// The next records, at most a portion of them; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<ExportedPortion>, StoreError> {
        loop {
            if let Some(making) = &mut self.making
                && let Some(made) = making.next().await?
            {
                return Ok(Some(made));
            }
            self.making = None;
            if let Some(portion) = self.read.recv().await {
                self.making = Some(Making::of(self.exporter.clone(), portion));
                continue;
            }
            return match self.reading.take() {
                Some(reading) => reading
                    .await
                    .map_err(|error| StoreError::fault(error))?
                    .map(|()| None),
                None => Ok(None),
            };
        }
    }
}
