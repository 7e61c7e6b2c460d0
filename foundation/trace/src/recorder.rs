//! The spans of one running request, limited in number and text.

use std::cell::Cell;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::handle::Handle;
use crate::tree::{self, SpanKind, Tree};
use crate::{HERE, TracePosition};

/// The most spans of a request; further ones are only counted.
pub const SPANS_MAX: usize = 2_000;
/// The most bytes of all statements' texts of one request.
const TEXT_BYTES_MAX: usize = 256 * 1024;

/// One stored span. The first, number 0, is the request itself.
#[derive(Debug)]
pub(crate) struct Record {
    pub parent: u32,
    pub kind: SpanKind,
    pub name: &'static str,
    pub start: Duration,
    pub end: Option<Duration>,
    pub first_row: Option<Duration>,
    pub sql: Option<String>,
    pub place: Option<String>,
    pub note: Option<String>,
    pub rows: Option<u64>,
    pub bytes: Option<u64>,
    pub behind: usize,
}

#[derive(Default)]
struct Records {
    list: Vec<Record>,
    text_bytes: usize,
    left_out: usize,
    /// Open transactions.
    transactions: Vec<u32>,
}

/// Records one request.
pub struct Recorder {
    started: Instant,
    records: Mutex<Records>,
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder")
            .field("spans", &self.lock().list.len())
            .finish_non_exhaustive()
    }
}

impl Recorder {
    /// A recorder for a request that arrived at `started`.
    #[must_use]
    pub fn new(started: Instant) -> Arc<Recorder> {
        let recorder = Recorder {
            started,
            records: Mutex::default(),
        };
        let root = recorder.record(0, SpanKind::Work, "request", Duration::ZERO);
        recorder.lock().list.push(root);
        Arc::new(recorder)
    }

    /// Runs a future and records it.
    pub async fn run<T>(self: &Arc<Self>, future: impl Future<Output = T>) -> T {
        let here = TracePosition {
            recorder: Arc::clone(self),
            span: Cell::new(0),
        };
        HERE.scope(here, future).await
    }

    /// A span directly below the request that began at `from`, for work outside of
    /// [`Recorder::run`].
    pub fn stage(self: &Arc<Self>, name: &'static str, from: Instant) -> Handle {
        let start = from.saturating_duration_since(self.started);
        self.push(self.record(0, SpanKind::Work, name, start))
    }

    /// Ends the request: spans that are still open are marked as not ended.
    pub fn finish(&self) {
        let now = self.started.elapsed();
        if let Some(root) = self.lock().list.first_mut() {
            root.end.get_or_insert(now);
        }
    }

    /// The tree recorded so far.
    #[must_use]
    pub fn tree(&self) -> Tree {
        let records = self.lock();
        tree::of(&records.list, records.left_out, self.started.elapsed())
    }

    pub(crate) fn open(
        self: &Arc<Self>,
        parent: u32,
        kind: SpanKind,
        name: &'static str,
    ) -> Handle {
        self.push(self.record(parent, kind, name, self.started.elapsed()))
    }

    fn record(&self, parent: u32, kind: SpanKind, name: &'static str, start: Duration) -> Record {
        Record {
            parent,
            kind,
            name,
            start,
            end: None,
            first_row: None,
            sql: None,
            place: None,
            note: None,
            rows: None,
            bytes: None,
            behind: 0,
        }
    }

    fn push(self: &Arc<Self>, mut record: Record) -> Handle {
        let mut records = self.lock();
        if records.list.len() >= SPANS_MAX {
            records.left_out += 1;
            return Handle::default();
        }
        let id = records.list.len() as u32;
        if record.kind == SpanKind::Work
            && let Some(open) = records.transaction_beside(record.parent)
        {
            record.parent = open;
        }
        if record.kind == SpanKind::Transaction {
            records.transactions.push(id);
        }
        records.list.push(record);
        drop(records);
        Handle::new(Arc::clone(self), id)
    }

    pub(crate) fn end(&self, id: u32) {
        let now = self.started.elapsed();
        let mut records = self.lock();
        records.transactions.retain(|open| *open != id);
        if let Some(record) = records.list.get_mut(id as usize) {
            record.end.get_or_insert(now);
        }
    }

    pub(crate) fn since_start(&self) -> Duration {
        self.started.elapsed()
    }

    pub(crate) fn change(&self, id: u32, change: impl FnOnce(&mut Record)) {
        if let Some(record) = self.lock().list.get_mut(id as usize) {
            change(record);
        }
    }

    /// Stores a statement's text if the limit allows it.
    pub(crate) fn text(&self, id: u32, sql: &str) {
        let mut records = self.lock();
        let fits = records.text_bytes + sql.len() <= TEXT_BYTES_MAX;
        if fits {
            records.text_bytes += sql.len();
        }
        if let Some(record) = records.list.get_mut(id as usize) {
            record.sql = Some(match fits {
                true => sql.to_owned(),
                false => "(left out: the request's statements are too long)".to_owned(),
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Records {
    /// The transaction that a span belongs to which begins while one transaction is open. With
    /// several open ones it is unknown which.
    fn transaction_beside(&self, parent: u32) -> Option<u32> {
        let mut beside = self
            .transactions
            .iter()
            .copied()
            .filter(|open| self.list[*open as usize].parent == parent);
        let first = beside.next()?;
        beside.next().is_none().then_some(first)
    }
}
