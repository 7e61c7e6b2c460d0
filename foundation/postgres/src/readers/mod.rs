//! Reads on streaming replicas that are never older than what their caller may have seen.
//!
//! Before a read the writer is asked for its position in the log: one question for all reads that
//! arrived since the last. A replica that has replayed up to there has every commit that was
//! acknowledged to anybody before the read began. For a caller that sends a position of its own,
//! that position counts instead.

mod choose;
mod position;
mod questions;
mod reader;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use octavo_boxed::boxed;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout_at};
use tokio_postgres::Config;
use tokio_postgres::types::PgLsn;

pub use position::{Lsn, NotAPosition, Position};

use choose::{Choice, ReplicaState, choose, hopeless};
use questions::Questions;
use reader::{Reader, ReplicaConnection, Up};

use crate::connect;
use crate::database::{Database, DatabaseOptions};
use crate::error::DatabaseError;
use crate::pulse::Pulse;
use crate::session::SessionSettings;
use crate::timeout;

/// The writer's position and timeline. A commit is acknowledged when it is flushed, so the flushed
/// position covers every commit that anybody knows of, and replicas receive no more than that.
/// Where commits are acknowledged earlier (synchronous_commit = off), the inserted position counts.
const WRITER_POSITION: &str = "SELECT CASE current_setting('synchronous_commit') \
    WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END AS place, \
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int8 AS timeline";
const SYSTEM: &str = "SELECT system_identifier FROM pg_control_system()";

/// Options for reading from replicas.
#[derive(Clone, Debug)]
pub struct ReaderOptions {
    /// The replicas' addresses, one server each.
    pub places: Vec<Config>,
    /// Shared connections to each replica; one more watches it.
    pub lanes: usize,
    /// How long a read waits for a replica to catch up before it goes to the writer.
    pub wait: Duration,
    /// How long a statement may run. Zero means no limit.
    pub statement_timeout: Duration,
}

impl ReaderOptions {
    /// The default of [`ReaderOptions::wait`].
    pub const WAIT: Duration = Duration::from_millis(50);

    /// The default options for these replicas.
    #[must_use]
    pub fn new(places: Vec<Config>) -> Self {
        Self {
            places,
            lanes: 4,
            wait: Self::WAIT,
            statement_timeout: timeout::STATEMENT,
        }
    }
}

/// The replicas of a writer. Clones share everything.
#[derive(Clone)]
pub struct Readers {
    inner: Arc<Inner>,
}

struct Inner {
    readers: Vec<Arc<Reader>>,
    keepers: Vec<AbortHandle>,
    writer: Questions<Position>,
    /// A connection of its own, so that a question does not wait behind a long statement.
    line: Database,
    /// Increases whenever a replica's position or state changes.
    news: watch::Sender<u64>,
    wait: Duration,
    turn: AtomicUsize,
    questions: Arc<AtomicU64>,
    waits: AtomicU64,
    to_writer: AtomicU64,
}

impl fmt::Debug for Readers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.status().readers).finish()
    }
}

/// The state of a replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReaderStatus {
    /// Its address, without a password.
    pub place: String,
    /// The last known replayed position; `None` while it is not read from.
    pub position: Option<Position>,
    /// Why it is not read from; empty while it is.
    pub why_down: String,
    pub reads: u64,
    /// Reads that it did not answer, so that the writer did.
    pub failed: u64,
}

/// The state of the replicas, without asking any server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadersStatus {
    /// The replicas in the order of the configuration.
    pub readers: Vec<ReaderStatus>,
    /// Questions to the writer for its position.
    pub questions: u64,
    /// Reads that waited for a replica.
    pub waits: u64,
    /// Reads that went to the writer because no replica was current enough.
    pub to_writer: u64,
}

/// The use of a replica for one read.
pub struct ReaderLease {
    reader: Arc<Reader>,
    up: Arc<Up>,
}

impl fmt::Debug for ReaderLease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReaderLease")
            .field("place", &self.reader.place())
            .field("position", &self.up.position())
            .finish_non_exhaustive()
    }
}

impl ReaderLease {
    /// The replica, for single statements. It refuses transactions and streams as unavailable.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.up.database
    }

    /// Completes when the replica has failed: then the read has to be repeated on the writer.
    #[boxed]
    pub async fn gone(&self) {
        self.up.gone().await;
    }

    /// A position that covers everything read so far; `None` when the replica does not answer.
    #[boxed]
    pub async fn position(&self) -> Option<Position> {
        self.up.position_now().await
    }

    /// Counts a read that failed here and is repeated on the writer.
    pub fn failed(&self) {
        self.reader.failed.fetch_add(1, Ordering::Relaxed);
    }
}

impl Readers {
    /// Starts to connect to the replicas of a writer, without waiting for any.
    ///
    /// # Errors
    /// When the writer does not answer.
    #[boxed]
    pub async fn start(writer: &Database, options: ReaderOptions) -> Result<Self, DatabaseError> {
        let line = Database::connect(DatabaseOptions {
            lanes: 1,
            pool_size: 1,
            ..DatabaseOptions::new(writer.config().clone())
        })
        .await?;
        let rows = line.query(SYSTEM, &[]).await?;
        let system = rows.first().map_or(0, |row| row.get("system_identifier"));
        let settings = SessionSettings {
            statement_timeout: options.statement_timeout,
            stopped_after: None,
            idle_in_transaction_timeout: options.statement_timeout,
            // No watch runs on it: the replica's keeper notices when it falls silent.
            pulse: Pulse::new(),
            runtime: tokio::runtime::Handle::current(),
        };
        let way = |config| ReplicaConnection {
            config: connect::with_defaults(config),
            settings: settings.clone(),
            lanes: options.lanes.max(1),
            system,
        };
        let places = options.places.into_iter();
        let readers: Vec<_> = places
            .map(|place| Arc::new(Reader::new(way(place))))
            .collect();
        let news = watch::Sender::new(0);
        let keep = |reader: &Arc<Reader>| {
            tokio::spawn(Arc::clone(reader).keep(news.clone())).abort_handle()
        };
        let keepers = readers.iter().map(keep).collect();
        let questions = Arc::new(AtomicU64::new(0));
        let (asked, counted) = (line.clone(), Arc::clone(&questions));
        let writer = Questions::start(move || {
            counted.fetch_add(1, Ordering::Relaxed);
            let line = asked.clone();
            async move { writer_position(&line).await.ok() }
        });
        Ok(Self {
            inner: Arc::new(Inner {
                readers,
                keepers,
                writer,
                line,
                news,
                wait: options.wait,
                turn: AtomicUsize::new(0),
                questions,
                waits: AtomicU64::new(0),
                to_writer: AtomicU64::new(0),
            }),
        })
    }

    /// The replica for a read, with every commit that was acknowledged before this call; `None`
    /// when the read has to go to the writer. If the caller sends a position, the replica has
    /// everything before that position, and the writer is asked only when none has.
    #[boxed]
    pub async fn lease(&self, carried: Option<Position>) -> Option<ReaderLease> {
        let lease = self.find(carried).await;
        if lease.is_none() {
            self.inner.to_writer.fetch_add(1, Ordering::Relaxed);
        }
        lease
    }

    async fn find(&self, carried: Option<Position>) -> Option<ReaderLease> {
        if let Some(position) = carried
            && let Choice::Reader(at) = self.choose(position)
        {
            return self.take(at, position);
        }
        if hopeless(&self.states()) {
            return None;
        }
        // Whatever position the caller sends, nobody can have seen more than the writer has.
        let writer = self.position().await?;
        let floor = match carried {
            Some(carried) if carried.timeline == writer.timeline => Position {
                lsn: carried.lsn.min(writer.lsn),
                ..writer
            },
            _ => writer,
        };
        match self.choose(floor) {
            Choice::Reader(at) => self.take(at, floor),
            Choice::Wait => self.wait_for(floor).await,
            Choice::Writer => None,
        }
    }

    async fn wait_for(&self, floor: Position) -> Option<ReaderLease> {
        self.inner.waits.fetch_add(1, Ordering::Relaxed);
        let deadline = Instant::now() + self.inner.wait;
        let mut news = self.inner.news.subscribe();
        let _waiting: Vec<_> = self.inner.readers.iter().map(|one| one.wait()).collect();
        loop {
            // Before looking at the positions, so that a change between looking and waiting is not
            // missed.
            news.mark_unchanged();
            match self.choose(floor) {
                Choice::Reader(at) => return self.take(at, floor),
                Choice::Writer => return None,
                Choice::Wait => {}
            }
            if timeout_at(deadline, news.changed()).await.is_err() {
                for up in self.inner.readers.iter().filter_map(|one| one.up()) {
                    up.wait_timed_out(floor);
                }
                return None;
            }
        }
    }

    /// The writer's position, which covers every commit before this call; `None` when it does not
    /// answer.
    #[boxed]
    pub async fn position(&self) -> Option<Position> {
        self.inner.writer.ask().await
    }

    /// The state of the replicas, without asking them.
    #[must_use]
    pub fn status(&self) -> ReadersStatus {
        let status = |reader: &Arc<Reader>| ReaderStatus {
            place: reader.place(),
            position: reader.up().map(|up| up.position()),
            why_down: reader.why_down(),
            reads: reader.reads.load(Ordering::Relaxed),
            failed: reader.failed.load(Ordering::Relaxed),
        };
        ReadersStatus {
            readers: self.inner.readers.iter().map(status).collect(),
            questions: self.inner.questions.load(Ordering::Relaxed),
            waits: self.inner.waits.load(Ordering::Relaxed),
            to_writer: self.inner.to_writer.load(Ordering::Relaxed),
        }
    }

    pub fn close(&self) {
        for keeper in &self.inner.keepers {
            keeper.abort();
        }
        self.inner.line.close();
    }

    fn states(&self) -> Vec<Option<ReplicaState>> {
        self.inner.readers.iter().map(|one| one.state()).collect()
    }

    fn choose(&self, floor: Position) -> Choice {
        let turn = self.inner.turn.fetch_add(1, Ordering::Relaxed);
        choose(&self.states(), floor, turn)
    }

    /// The chosen replica, unless it went down since; when it is up again, it may have replayed
    /// less.
    fn take(&self, at: usize, floor: Position) -> Option<ReaderLease> {
        let reader = Arc::clone(&self.inner.readers[at]);
        let up = reader.up().filter(|up| up.state().has(floor))?;
        reader.reads.fetch_add(1, Ordering::Relaxed);
        Some(ReaderLease { reader, up })
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        for keeper in &self.keepers {
            keeper.abort();
        }
    }
}

async fn writer_position(line: &Database) -> Result<Position, DatabaseError> {
    let row = line.query_opt(WRITER_POSITION, &[]).await?;
    let row =
        row.ok_or_else(|| DatabaseError::unreachable("the writer did not say how far it is"))?;
    let place: PgLsn = row.get("place");
    Ok(Position {
        timeline: u32::try_from(row.get::<_, i64>("timeline")).unwrap_or_default(),
        lsn: Lsn(place.into()),
    })
}
