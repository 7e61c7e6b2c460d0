//! The database as the rest of the program uses it: single statements on lanes, transactions and
//! streams on pooled connections.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use octavo_boxed::boxed;
use octavo_trace::{self as trace, Handle, SpanKind};
use tokio::task::AbortHandle;
use tokio_postgres::{Config, Row};

use crate::connection::Connection;
use crate::error::DatabaseError;
use crate::lanes::{self, Lanes};
use crate::listener::Listener;
use crate::migrate::{Migration, MigrationOutcome};
use crate::pool::{self, BorrowedSession, Pool, SessionManager};
use crate::pulse::Pulse;
use crate::searches::{AT_ONCE, Searches};
use crate::session::{Params, Reading, Session, SessionSettings, TypedParams, at_most_one};
use crate::slots::Slots;
use crate::transaction::{Isolation, Transaction};
use crate::{asker, connect, migrate, storage, timeout};

/// Options of a connection. [`DatabaseOptions::new`] sets the defaults named below.
#[derive(Clone, Debug)]
pub struct DatabaseOptions {
    pub config: Config,
    /// Connections shared by single statements; 4 by default. Searches have half as many in
    /// addition.
    pub lanes: usize,
    /// The most connections for transactions, streams and COPY; 16 by default. Opened as needed.
    pub pool_size: usize,
    /// How many transactions run at once; later ones wait a moment. As many as there are connections by
    /// default.
    pub transactions_at_once: usize,
    /// How long to wait for one of those connections; 10 s by default.
    pub pool_wait: Duration,
    /// How long a statement may run; 30 s by default. Zero means no limit.
    pub statement_timeout: Duration,
    /// How long a transaction may be idle; 30 s by default. Zero means no limit.
    pub idle_in_transaction_timeout: Duration,
    /// How long [`Database::connect`] retries; 10 s by default.
    pub connect_wait: Duration,
    /// The directory of the database's files, if they are on this machine: its free disk space is
    /// then watched.
    pub storage: Option<PathBuf>,
}

impl DatabaseOptions {
    /// The default options.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            lanes: 4,
            pool_size: 16,
            transactions_at_once: 16,
            pool_wait: timeout::POOL_WAIT,
            statement_timeout: timeout::STATEMENT,
            idle_in_transaction_timeout: timeout::IDLE_IN_TRANSACTION,
            connect_wait: timeout::CONNECT_WAIT,
            storage: None,
        }
    }
}

/// Figures for health pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatabaseStatus {
    pub lanes: usize,
    /// Connected lanes.
    pub lanes_up: usize,
    /// Open pooled connections.
    pub pool_open: usize,
    /// The most pooled connections.
    pub pool_size: usize,
    /// Callers waiting for a pooled connection.
    pub pool_waiting: usize,
}

/// A connected database. Clones share everything.
#[derive(Clone)]
pub struct Database {
    inner: Arc<Inner>,
}

struct Inner {
    config: Config,
    settings: SessionSettings,
    lanes: Lanes,
    searches: Searches,
    /// None for a replica, whose state is known only for the connections that are open.
    pool: Option<Pool>,
    slots: Slots,
    storage: Option<PathBuf>,
    watch: Option<AbortHandle>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(watch) = &self.watch {
            watch.abort();
        }
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database")
            .field("at", &connect::place(&self.inner.config))
            .field("status", &self.status())
            .finish()
    }
}

impl Database {
    /// Connects, retrying for [`DatabaseOptions::connect_wait`]; the error says where and why. The calling runtime
    /// reads from and writes to all connections, whoever uses them.
    #[boxed]
    pub async fn connect(options: DatabaseOptions) -> Result<Self, DatabaseError> {
        let config = connect::with_defaults(options.config);
        let settings = SessionSettings {
            statement_timeout: options.statement_timeout,
            stopped_after: None,
            idle_in_transaction_timeout: options.idle_in_transaction_timeout,
            pulse: Pulse::new(),
            runtime: tokio::runtime::Handle::current(),
        };
        let most = settings.statement_timeout;
        let of_searches = SessionSettings {
            stopped_after: Some(if most.is_zero() {
                AT_ONCE
            } else {
                most.min(AT_ONCE)
            }),
            ..settings.clone()
        };
        connect::wait_until_reachable(&config, options.connect_wait).await?;
        let lanes = Lanes::open(&config, &settings, &of_searches, options.lanes).await?;
        let manager = SessionManager {
            config: config.clone(),
            settings: settings.clone(),
            made: AtomicUsize::new(0),
        };
        let pool = pool::build(manager, options.pool_size, options.pool_wait)?;
        let watch = tokio::spawn(Arc::clone(&settings.pulse).watch(config.clone()));
        let on_lanes = lanes::searching(options.lanes);
        Ok(Self {
            inner: Arc::new(Inner {
                config,
                settings,
                lanes,
                searches: Searches::new(on_lanes, Some(options.pool_size)),
                pool: Some(pool),
                slots: Slots::new(options.transactions_at_once),
                storage: options.storage,
                watch: Some(watch.abort_handle()),
            }),
        })
    }

    /// A replica as the readers open it: lanes only, which do not reconnect.
    pub(crate) fn of_lanes(
        config: Config,
        settings: SessionSettings,
        lanes: Lanes,
        count: usize,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                config,
                settings,
                lanes,
                searches: Searches::new(lanes::searching(count), None),
                pool: None,
                // A replica has no transactions.
                slots: Slots::new(1),
                storage: None,
                watch: None,
            }),
        }
    }

    /// The open connections of the lanes.
    pub(crate) fn sessions(&self) -> Vec<Arc<Session>> {
        self.inner.lanes.sessions()
    }

    async fn take_session(&self, under: &Handle) -> Result<BorrowedSession, DatabaseError> {
        match &self.inner.pool {
            Some(pool) => pool::take_session(pool, under).await,
            None => {
                let reason = format!("{} takes single statements only", self.place());
                Err(DatabaseError::unreachable(reason))
            }
        }
    }

    /// Runs one statement on a lane.
    #[boxed]
    pub async fn query(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>, DatabaseError> {
        Ok(self.inner.lanes.run(sql, params).await?.rows)
    }

    /// Runs a search that is planned with these values and not prepared: for searches whose best
    /// plan depends on the values. One round trip, unless it takes long.
    #[boxed]
    pub async fn query_fresh(
        &self,
        sql: &str,
        params: TypedParams<'_>,
    ) -> Result<Vec<Row>, DatabaseError> {
        self.search(Reading::Fresh(sql, params)).await
    }

    /// The same, prepared and planned once for all values: for statements that are no look-up by
    /// key and may read much.
    #[boxed]
    pub async fn query_long(
        &self,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Vec<Row>, DatabaseError> {
        self.search(Reading::Prepared(sql, params)).await
    }

    /// Runs a search on a lane for searches; one that is not done there soon is restarted on a
    /// connection of its own.
    async fn search(&self, reading: Reading<'_>) -> Result<Vec<Row>, DatabaseError> {
        let (asker, sql) = (asker::current(), reading.sql());
        let searches = &self.inner.searches;
        if !searches.is_slow(asker, sql) {
            let turn = searches.turn(asker).await?;
            let answer = self.inner.lanes.search(reading).await;
            turn.over();
            match answer {
                Err(DatabaseError::Timeout { .. }) if self.inner.pool.is_some() => {
                    searches.note(asker, sql, true);
                }
                answer => return answer,
            }
        }
        let _place = searches.alone(asker).await?;
        let connection = self.connection().await?;
        let started = Instant::now();
        let session = &connection.pooled().session;
        let answer = session.read(reading).await;
        match answer.map_err(|error| DatabaseError::of(error, sql)) {
            Ok(rows) => {
                if started.elapsed() < AT_ONCE {
                    searches.note(asker, sql, false);
                }
                Ok(rows)
            }
            Err(DatabaseError::Timeout { .. }) => Err(DatabaseError::TooSlow {
                limit: self.inner.settings.statement_timeout,
            }),
            Err(error) => Err(error),
        }
    }

    /// Runs one statement that returns at most one row on a lane.
    #[boxed]
    pub async fn query_opt(
        &self,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Option<Row>, DatabaseError> {
        at_most_one(self.inner.lanes.run(sql, params).await?.rows)
    }

    /// Runs one statement on a lane, as a transaction of its own; returns the number of affected
    /// rows.
    #[boxed]
    pub async fn execute(&self, sql: &str, params: Params<'_>) -> Result<u64, DatabaseError> {
        Ok(self.inner.lanes.run(sql, params).await?.affected)
    }

    /// A transaction with PostgreSQL's default isolation level.
    #[boxed]
    pub async fn transaction(&self) -> Result<Transaction, DatabaseError> {
        self.transaction_with(Isolation::default()).await
    }

    /// A transaction with this isolation level.
    #[boxed]
    pub async fn transaction_with(
        &self,
        isolation: Isolation,
    ) -> Result<Transaction, DatabaseError> {
        let span = trace::open(SpanKind::Transaction, "transaction");
        // Exports read long and alone.
        let slot = match isolation {
            Isolation::Snapshot => None,
            _ => self.inner.slots.acquire().await,
        };
        let pooled = self.take_session(&span).await?;
        Ok(Transaction::new(pooled, slot, isolation, span))
    }

    /// A dedicated connection, for streams, COPY and session state.
    #[boxed]
    pub async fn connection(&self) -> Result<Connection, DatabaseError> {
        let pooled = self.take_session(&Handle::OFF).await?;
        Ok(Connection::new(pooled, self.inner.settings.sql()))
    }

    /// Listens on channels, on a further connection that reconnects.
    #[boxed]
    pub async fn listen(&self, channels: &[&str]) -> Result<Listener, DatabaseError> {
        Listener::start(self.inner.config.clone(), channels).await
    }

    /// Migrates a schema; see [`migrate::migrate`].
    #[boxed]
    pub async fn migrate(
        &self,
        schema: &str,
        migrations: &[Migration],
    ) -> Result<MigrationOutcome, DatabaseError> {
        let transaction = self.transaction().await?;
        let outcome = migrate::migrate(&transaction, schema, migrations).await?;
        transaction.commit().await?;
        Ok(outcome)
    }

    /// The checksums of the migrations applied to a schema, by id; `None` if it has no such list
    /// yet.
    #[boxed]
    pub async fn applied_steps(
        &self,
        schema: &str,
    ) -> Result<HashMap<String, String>, DatabaseError> {
        match self.query(&migrate::known_steps(schema), &[]).await {
            Ok(rows) => migrate::steps_of(&rows),
            Err(error) if error.is_undefined_table() => Ok(HashMap::new()),
            Err(error) => Err(error),
        }
    }

    /// Closes all connections and opens no more. Running statements still complete; later ones are
    /// [`DatabaseError::Unavailable`].
    pub fn close(&self) {
        if let Some(watch) = &self.inner.watch {
            watch.abort();
        }
        self.inner.lanes.close();
        if let Some(pool) = &self.inner.pool {
            pool.close();
        }
    }

    /// The present state, without asking the server.
    pub fn status(&self) -> DatabaseStatus {
        let pool = self.inner.pool.as_ref().map(Pool::status);
        DatabaseStatus {
            lanes: self.inner.lanes.count(),
            lanes_up: self.inner.lanes.up(),
            pool_open: pool.map_or(0, |pool| pool.size),
            pool_size: pool.map_or(0, |pool| pool.max_size),
            pool_waiting: pool.map_or(0, |pool| pool.waiting),
        }
    }

    /// A problem that prevents work although the server may still answer, with the remedy; asks the
    /// disk, not the server.
    pub fn trouble(&self) -> Option<String> {
        let inner = &self.inner;
        inner
            .storage
            .as_deref()
            .and_then(storage::shortage)
            .or_else(|| {
                let full = inner.settings.pulse.disk_was_full();
                full.then(|| {
                    "the disk of the database is full; free some space; writes resume by themselves"
                        .to_owned()
                })
            })
            .or_else(|| {
                inner
                    .settings
                    .pulse
                    .is_silent()
                    .then(|| Pulse::SILENT.to_owned())
            })
    }

    /// Its address for messages, without a password.
    pub fn place(&self) -> String {
        connect::place(&self.inner.config)
    }

    pub fn config(&self) -> &Config {
        &self.inner.config
    }
}
