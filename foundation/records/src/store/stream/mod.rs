//! Streams pages that are too large for memory: read on a pooled connection and sent in chunks. A
//! slow client must not occupy the connection: what it does not accept in time is written to a
//! file, and the connection is returned. Knows nothing of HTTP.
//!
//! Three parts: the pump (`pump.rs`) reads rows and makes chunks; the spool (`spool.rs`) is the
//! file; the body (`body.rs`) is what the client reads, from memory first and then from the file.

mod body;
mod pump;
mod spool;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt;
use futures_util::stream::BoxStream;
use octavo_boxed::boxed;
use octavo_trace as trace;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};

use super::Store;
use super::total::Totals;
use crate::collection::Collection;
use crate::error::StoreError;
use crate::plan::{Predicate, Sql};
use crate::tenant::Tenant;

/// The approximate size of chunks.
const PIECE_BYTES: usize = 64 * 1024;
/// The most chunks that wait in memory for the client: 1 MiB of ordinary records.
const PIECES_WAITING_MAX: usize = 16;
/// How long a client may take for a chunk before the rest is written to a file.
const PATIENCE: Duration = Duration::from_secs(2);
/// The same while other pages wait for their turn.
const PATIENCE_CROWDED: Duration = Duration::from_millis(200);
/// The sum of all waits for one client, so that one that reads slowly but steadily does not keep
/// the connection either.
const PATIENCE_TOTAL: Duration = Duration::from_secs(20);
/// How long a page waits for its turn among the streams.
const TURN_WAIT: Duration = Duration::from_secs(10);
/// The most files at once.
const SPOOLS_MAX: usize = 64;
/// The most bytes of all files together.
const SPOOLED_BYTES_MAX: u64 = 4 << 30;
/// A file that nobody reads from for this long is deleted.
const SPOOL_IDLE_MAX: Duration = Duration::from_secs(600);
/// The time-out of a stream's statement; longer where the connections are configured so. Reading a
/// million records takes seconds, and clients can delay it by [`PATIENCE_TOTAL`].
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(600);

/// The message when no turn comes.
const TOO_MANY: &str = "Too many large lists are being read now; try again in a moment, or ask \
                        for pages of at most 1000 records (limit=1000)";

/// A stream, without its statement.
pub(super) struct Request {
    pub store: Store,
    pub frame: Frame,
}

/// What surrounds the rows.
pub(super) enum Frame {
    /// FOLIO's list, with its total at the end.
    List(Box<List>),
    /// Nothing: one document after another. The log uses this name for it.
    Bare(&'static str),
}

/// A list that is streamed.
pub(super) struct List {
    pub tenant: Tenant,
    pub collection: Collection,
    pub predicate: Predicate,
    pub offset: i64,
    pub limit: i64,
    pub totals: Totals,
    pub facets: String,
}

/// The state of the streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamStatus {
    /// Streams that hold a database connection.
    pub reading: usize,
    /// The most streams that may hold one at the same time.
    pub reading_max: usize,
    /// Streams whose rest is in a file.
    pub spools: usize,
    /// The size of these files in bytes.
    pub spooled_bytes: u64,
    /// The most bytes that have waited in memory for clients, over all streams.
    pub waiting_bytes_most: usize,
}

/// The streams of one store.
#[derive(Debug, Clone)]
pub(super) struct Streams {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    turns: Arc<Semaphore>,
    turns_max: usize,
    /// Pages that wait for their turn.
    queued: AtomicUsize,
    spools: Arc<Semaphore>,
    spooled_bytes: AtomicU64,
    waiting_bytes: AtomicUsize,
    waiting_bytes_most: AtomicUsize,
}

impl Shared {
    /// Waits for a permit to hold a connection.
    async fn turn(&self) -> Result<OwnedSemaphorePermit, StoreError> {
        if let Ok(turn) = Arc::clone(&self.turns).try_acquire_owned() {
            return Ok(turn);
        }
        let _queued = Queued::among(&self.queued);
        let turn = Arc::clone(&self.turns).acquire_owned();
        match tokio::time::timeout(TURN_WAIT, turn).await {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(StoreError::Busy(TOO_MANY)),
        }
    }

    /// How long to wait for a client that holds a connection.
    fn patience(&self) -> Duration {
        match self.queued.load(Ordering::Acquire) {
            0 => PATIENCE,
            _ => PATIENCE_CROWDED,
        }
    }

    fn piece_waits(&self, bytes: usize) {
        let now = self.waiting_bytes.fetch_add(bytes, Ordering::AcqRel) + bytes;
        self.waiting_bytes_most.fetch_max(now, Ordering::AcqRel);
    }

    fn pieces_gone(&self, bytes: usize) {
        self.waiting_bytes.fetch_sub(bytes, Ordering::AcqRel);
    }
}

/// Counts a page as waiting until it is dropped.
struct Queued<'a>(&'a AtomicUsize);

impl Queued<'_> {
    fn among(queued: &AtomicUsize) -> Queued<'_> {
        queued.fetch_add(1, Ordering::AcqRel);
        Queued(queued)
    }
}

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Streams {
    /// Streams that leave half of a pool to transactions.
    pub(super) fn beside(pool_size: usize) -> Streams {
        let turns_max = (pool_size / 2).max(1);
        Streams {
            shared: Arc::new(Shared {
                turns: Arc::new(Semaphore::new(turns_max)),
                turns_max,
                queued: AtomicUsize::new(0),
                spools: Arc::new(Semaphore::new(SPOOLS_MAX)),
                spooled_bytes: AtomicU64::new(0),
                waiting_bytes: AtomicUsize::new(0),
                waiting_bytes_most: AtomicUsize::new(0),
            }),
        }
    }

    pub(super) fn status(&self) -> StreamStatus {
        let shared = &self.shared;
        StreamStatus {
            reading: shared.turns_max - shared.turns.available_permits(),
            reading_max: shared.turns_max,
            spools: SPOOLS_MAX - shared.spools.available_permits(),
            spooled_bytes: shared.spooled_bytes.load(Ordering::Acquire),
            waiting_bytes_most: shared.waiting_bytes_most.load(Ordering::Acquire),
        }
    }

    /// Starts a statement and returns its page in chunks. An immediate error of the database is
    /// returned here, before anything is sent.
    pub(super) async fn start(
        &self,
        request: Request,
        sql: Sql,
    ) -> Result<BoxStream<'static, Result<Bytes, StoreError>>, StoreError> {
        let turn = self.shared.turn().await?;
        let connection = request.store.database.connection().await?;
        let most_ms = STATEMENT_TIMEOUT.as_millis() as i64;
        connection.query(LONGER_TIMEOUT, &[&most_ms]).await?;
        let mut rows = connection.stream(&sql.text, &sql.bound()).await?;
        let first = rows.try_next().await?;
        let (pieces, waiting) = mpsc::channel(PIECES_WAITING_MAX);
        let (progress, seen) = watch::channel(pump::Progress::default());
        let shared = Arc::clone(&self.shared);
        let outlet = pump::Outlet::new(Arc::clone(&shared), pieces, progress);
        tokio::spawn(trace::carried(pump::run(
            request, rows, first, turn, outlet,
        )));
        Ok(body::read(shared, waiting, seen))
    }
}

impl Store {
    /// The documents that an area's own statement returns (its column `jsonb`), one after the other
    /// without separators, however many there are. `name` identifies them in the log.
    ///
    /// # Errors
    /// When the database refuses the statement, or no turn comes.
    #[boxed]
    pub async fn documents(
        &self,
        name: &'static str,
        sql: Sql,
    ) -> Result<BoxStream<'static, Result<Bytes, StoreError>>, StoreError> {
        let request = Request {
            store: self.clone(),
            frame: Frame::Bare(name),
        };
        self.streams.start(request, sql).await
    }
}

/// Raises the statement time-out on a stream's connection, unless there is none. The connection's
/// own settings are restored when it is returned.
const LONGER_TIMEOUT: &str =
    "SELECT set_config('statement_timeout', greatest(setting::bigint, $1)::text, false)
     FROM pg_settings WHERE name = 'statement_timeout' AND setting::bigint > 0";
