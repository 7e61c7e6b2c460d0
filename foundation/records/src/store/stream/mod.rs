//! Pages too large to hold: read over a pooled connection, sent on piece by piece. How fast the
//! client reads must not matter to the database: what it does not take in time is put aside in a
//! file, and the connection goes back. Knows nothing of HTTP.
//!
//! Three parts: the pump (`pump.rs`) reads rows and makes pieces; the spool (`spool.rs`) is the
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

/// Rows are sent on in pieces of about this size.
const PIECE_BYTES: usize = 64 * 1024;
/// Pieces that wait in memory for the client: 1 MiB of ordinary records.
const PIECES_WAITING_MAX: usize = 16;
/// A client that takes no piece for this long is not waited for: the rest goes into a file.
const PATIENCE: Duration = Duration::from_secs(2);
/// The same while other pages wait for their turn.
const PATIENCE_CROWDED: Duration = Duration::from_millis(200);
/// All waits for one client together, so that one that reads slowly but steadily does not hold the
/// connection either.
const PATIENCE_TOTAL: Duration = Duration::from_secs(20);
/// A page waits this long for its turn among the streams.
const TURN_WAIT: Duration = Duration::from_secs(10);
/// Files that may exist at once.
const SPOOLS_MAX: usize = 64;
/// What all files together may hold, in bytes.
const SPOOLED_BYTES_MAX: u64 = 4 << 30;
/// A file that nobody reads from for this long is given up.
const SPOOL_IDLE_MAX: Duration = Duration::from_secs(600);
/// How long the statement of a stream may run; longer where the connections are set so. A walk
/// through a million records takes seconds, and clients can hold it up by [`PATIENCE_TOTAL`].
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(600);

/// Said when no turn comes.
const TOO_MANY: &str = "Too many large lists are being read now; try again in a moment, or ask \
                        for pages of at most 1000 records (limit=1000)";

/// What is streamed, but for the statement.
pub(super) struct Request {
    pub store: Store,
    pub frame: Frame,
}

/// What stands around the rows.
pub(super) enum Frame {
    /// FOLIO's list, with its total at the end.
    List(Box<List>),
    /// Nothing: one document after another, told in the log by this name.
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

/// How the streams stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamStatus {
    /// Streams that hold a database connection.
    pub reading: usize,
    /// Streams that may hold one at the same time.
    pub reading_max: usize,
    /// Streams whose rest lies in a file.
    pub spools: usize,
    /// What these files hold, in bytes.
    pub spooled_bytes: u64,
    /// The most that has waited in memory for clients, over all streams, in bytes.
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
    /// A place among the streams that hold a connection.
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

/// Counts a page that waits, for as long as it does.
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

    /// Starts a statement and gives its page in pieces. What the database refuses at once is
    /// refused here, before anything is sent.
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
    /// The documents that an area's own statement gives (its column `jsonb`), one behind the other
    /// without anything between them, however many there are. `name` tells them in the log.
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

/// Raises the time limit of statements on a stream's connection; "no limit" stays. The connection
/// returns to its own settings when it is given back.
const LONGER_TIMEOUT: &str =
    "SELECT set_config('statement_timeout', greatest(setting::bigint, $1)::text, false)
     FROM pg_settings WHERE name = 'statement_timeout' AND setting::bigint > 0";
