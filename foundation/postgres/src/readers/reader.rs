//! One replica: connected in the background, watched, dropped at the first sign of trouble and
//! connected again.
//!
//! What is known of a replica holds for one run of its server, since a restarted server may have
//! replayed less than before. So no connection reconnects by itself: when one ends, all are closed.

use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use futures_util::future::{select_all, try_join_all};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use tokio_postgres::types::PgLsn;
use tokio_postgres::{Config, Row};

use super::choose::ReplicaState;
use super::position::{Lsn, Position};
use super::questions::Questions;
use crate::backoff::Backoff;
use crate::connect;
use crate::database::Database;
use crate::error::DatabaseError;
use crate::lanes::{Lanes, searching};
use crate::session::{Session, SessionSettings};
use crate::timeout as limits;

/// How often a replica is checked while no read waits for it.
const STATE_EVERY: Duration = Duration::from_millis(200);
/// How often it is asked for its position while a read waits.
const POSITION_EVERY: Duration = Duration::from_millis(1);
/// A connection that lasted this long is retried without delay.
const STEADY_AFTER: Duration = Duration::from_secs(5);

/// The identity and state of the server. The control file's timelines are as of the last restart
/// point; the receiver's is newer, but visible only to members of pg_read_all_stats.
const STATE_QUERY: &str = "SELECT pg_is_in_recovery(), pg_last_wal_replay_lsn() AS replayed, \
    greatest(recovery.min_recovery_end_timeline, checkpoint.timeline_id, \
    (SELECT max(received_tli) FROM pg_stat_wal_receiver))::int8 AS timeline, \
    (SELECT system_identifier FROM pg_control_system()) AS system \
    FROM pg_control_recovery() AS recovery, pg_control_checkpoint() AS checkpoint";
const POSITION_QUERY: &str = "SELECT pg_is_in_recovery(), pg_last_wal_replay_lsn() AS replayed";
/// Differs between servers and between runs of one.
const RUN: &str = "SELECT extract(epoch FROM pg_postmaster_start_time())::text AS started";

/// How the keeper of a replica connects.
#[derive(Debug, Clone)]
pub(super) struct ReplicaConnection {
    pub config: Config,
    pub settings: SessionSettings,
    pub lanes: usize,
    /// The writer's `system_identifier`, which its replicas share.
    pub system: i64,
}

/// One replica.
#[derive(Debug)]
pub(super) struct Reader {
    way: ReplicaConnection,
    up: RwLock<Option<Arc<Up>>>,
    why_down: Mutex<String>,
    /// The number of reads that wait for its position; wakes the keeper.
    waiting: watch::Sender<usize>,
    pub reads: AtomicU64,
    /// Reads that it did not answer, so that the writer did.
    pub failed: AtomicU64,
}

/// A replica that can be read from, for as long as all its connections last.
pub(super) struct Up {
    pub database: Database,
    monitor: Arc<Session>,
    positions: Questions<Option<Lsn>>,
    timeline: AtomicU32,
    replayed: AtomicU64,
    /// See `ReplicaState::behind`; 0 when no read waited in vain.
    behind: AtomicU64,
    gone: watch::Sender<bool>,
}

impl fmt::Debug for Up {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Up")
            .field("position", &self.position())
            .finish_non_exhaustive()
    }
}

impl Up {
    pub(super) fn position(&self) -> Position {
        Position {
            timeline: self.timeline.load(Ordering::Acquire),
            lsn: Lsn(self.replayed.load(Ordering::Acquire)),
        }
    }

    pub(super) fn state(&self) -> ReplicaState {
        let behind = self.behind.load(Ordering::Acquire);
        ReplicaState {
            at: self.position(),
            behind: (behind > 0).then_some(Lsn(behind)),
        }
    }

    /// Records that a read waited in vain for it to reach this position.
    pub(super) fn wait_timed_out(&self, floor: Position) {
        let at = self.position();
        if at.timeline == floor.timeline && at.lsn < floor.lsn {
            self.behind.store(floor.lsn.0, Ordering::Release);
        }
    }

    /// Its position, asked for after this call.
    pub(super) async fn position_now(&self) -> Option<Position> {
        let asked = timeout(limits::REPLICA_SILENCE, self.positions.ask()).await;
        let lsn = asked.ok().flatten().flatten()?;
        let timeline = self.timeline.load(Ordering::Acquire);
        Some(Position { timeline, lsn })
    }

    /// Completes when it is no longer read from.
    pub(super) async fn gone(&self) {
        let mut gone = self.gone.subscribe();
        // An error means that its keeper has ended, which comes to the same.
        let _ = gone.wait_for(|gone| *gone).await;
    }
}

impl Reader {
    pub(super) fn new(way: ReplicaConnection) -> Self {
        Self {
            way,
            up: RwLock::default(),
            why_down: Mutex::new("not connected yet".to_owned()),
            waiting: watch::Sender::new(0),
            reads: AtomicU64::new(0),
            failed: AtomicU64::new(0),
        }
    }

    pub(super) fn place(&self) -> String {
        connect::place(&self.way.config)
    }

    pub(super) fn up(&self) -> Option<Arc<Up>> {
        let up = self.up.read().unwrap_or_else(PoisonError::into_inner);
        up.clone()
    }

    pub(super) fn state(&self) -> Option<ReplicaState> {
        let up = self.up.read().unwrap_or_else(PoisonError::into_inner);
        up.as_ref().map(|up| up.state())
    }

    /// Why it is not read from; empty while it is.
    pub(super) fn why_down(&self) -> String {
        let why = self.why_down.lock();
        why.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes the keeper ask for its position repeatedly until the value is dropped.
    pub(super) fn wait(&self) -> Waiting<'_> {
        self.waiting.send_modify(|count| *count += 1);
        Waiting(self)
    }

    fn set(&self, up: Option<Arc<Up>>, why_down: String) {
        *self.why_down.lock().unwrap_or_else(PoisonError::into_inner) = why_down;
        *self.up.write().unwrap_or_else(PoisonError::into_inner) = up;
    }

    /// Keeps the connection for as long as the process lives; `news` is sent when its position or
    /// state has changed.
    pub(super) async fn keep(self: Arc<Self>, news: watch::Sender<u64>) {
        let mut backoff = Backoff::of_connections();
        loop {
            let mut was_up = false;
            let why = match timeout(limits::CONNECT, self.connect()).await {
                Ok(Ok(up)) => {
                    let since = Instant::now();
                    was_up = true;
                    tracing::info!(reader = self.place(), "a reader is up");
                    let up = Arc::new(up);
                    self.set(Some(Arc::clone(&up)), String::new());
                    news.send_modify(|number| *number += 1);
                    let why = self.follow(&up, &news).await;
                    if since.elapsed() > STEADY_AFTER {
                        backoff.reset();
                    }
                    // Before reads learn that it is gone, so that none of them gets it again.
                    self.set(None, why.clone());
                    up.gone.send_replace(true);
                    news.send_modify(|number| *number += 1);
                    why
                }
                Ok(Err(why)) => why,
                Err(_) => format!("no connection within {} s", limits::CONNECT.as_secs()),
            };
            // Logged once, not at every attempt.
            if was_up || why != self.why_down() {
                tracing::warn!(reader = self.place(), why, "a reader is down; reconnecting");
                self.set(None, why);
            }
            tokio::time::sleep(backoff.pause()).await;
        }
    }

    async fn connect(&self) -> Result<Up, String> {
        let ReplicaConnection {
            config, settings, ..
        } = &self.way;
        let message = |error: DatabaseError| error.to_string();
        let lanes = Lanes::open_once(config, settings, settings, self.way.lanes);
        let lanes = lanes.await.map_err(message)?;
        let database = Database::of_lanes(config.clone(), settings.clone(), lanes, self.way.lanes);
        let monitor = Arc::new(
            Session::open(config, settings, "monitor".to_owned())
                .await
                .map_err(message)?,
        );
        // Positions are asked for on one connection and trusted on all.
        let mut sessions = database.sessions();
        sessions.push(Arc::clone(&monitor));
        let runs = try_join_all(sessions.iter().map(|session| run(session))).await?;
        if runs.iter().any(|one| *one != runs[0]) {
            return Err(
                "its connections lead to different servers; a reader's URL has to name one \
                 server, not a balancer"
                    .to_owned(),
            );
        }
        let row = first(&monitor, STATE_QUERY).await?;
        if row.get::<_, Option<i64>>("system") != Some(self.way.system) {
            return Err("it is no replica of the writer".to_owned());
        }
        let asked = Arc::clone(&monitor);
        let up = Up {
            database,
            monitor,
            positions: Questions::start(move || {
                let session = Arc::clone(&asked);
                async move {
                    first(&session, POSITION_QUERY)
                        .await
                        .ok()
                        .map(|row| replayed(&row))
                }
            }),
            timeline: AtomicU32::new(0),
            replayed: AtomicU64::new(0),
            behind: AtomicU64::new(0),
            gone: watch::Sender::new(false),
        };
        note(&up, &row)?;
        note_timeline(&up, &row);
        Ok(up)
    }

    /// Keeps its position current for as long as all its connections last and it is a replica;
    /// returns why it stopped.
    async fn follow(&self, up: &Up, news: &watch::Sender<u64>) -> String {
        let mut sessions = up.database.sessions();
        sessions.push(Arc::clone(&up.monitor));
        let lanes = self.way.lanes.max(1);
        if sessions.len() <= lanes + searching(lanes) {
            return "a connection was lost".to_owned();
        }
        let ends = sessions
            .iter()
            .map(|session| Box::pin(session.closed()))
            .collect::<Vec<_>>();
        tokio::select! {
            _ = select_all(ends) => "a connection was lost".to_owned(),
            why = self.poll_position(up, news) => why,
        }
    }

    async fn poll_position(&self, up: &Up, news: &watch::Sender<u64>) -> String {
        let mut waiting = self.waiting.subscribe();
        let mut read_state_at = Instant::now() + STATE_EVERY;
        loop {
            let somebody_waits = *waiting.borrow_and_update() > 0;
            let next = match somebody_waits {
                true => read_state_at.min(Instant::now() + POSITION_EVERY),
                false => read_state_at,
            };
            if somebody_waits {
                tokio::time::sleep_until(next).await;
            } else {
                tokio::select! {
                    () = tokio::time::sleep_until(next) => {}
                    // The first read that waits is served at once.
                    _ = waiting.wait_for(|count| *count > 0) => {}
                }
            }
            let read_state = Instant::now() >= read_state_at;
            let sql = if read_state {
                STATE_QUERY
            } else {
                POSITION_QUERY
            };
            let row = match timeout(limits::REPLICA_SILENCE, first(&up.monitor, sql)).await {
                Ok(Ok(row)) => row,
                Ok(Err(why)) => return why,
                Err(_) => {
                    return format!("it was silent for {} s", limits::REPLICA_SILENCE.as_secs());
                }
            };
            match note(up, &row) {
                Ok(true) => news.send_modify(|number| *number += 1),
                Ok(false) => {}
                Err(why) => return why,
            }
            if read_state {
                note_timeline(up, &row);
                read_state_at = Instant::now() + STATE_EVERY;
            }
        }
    }
}

/// A read that waits for a replica's position.
pub(super) struct Waiting<'a>(&'a Reader);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.send_modify(|count| *count -= 1);
    }
}

/// Records the replica's position; returns whether it changed.
fn note(up: &Up, row: &Row) -> Result<bool, String> {
    if !row.get::<_, bool>("pg_is_in_recovery") {
        return Err("it is no replica, or was promoted".to_owned());
    }
    let Some(Lsn(place)) = replayed(row) else {
        return Err("it has not replayed anything yet".to_owned());
    };
    Ok(up.replayed.swap(place, Ordering::AcqRel) != place)
}

fn note_timeline(up: &Up, row: &Row) {
    let timeline = row.get::<_, Option<i64>>("timeline").unwrap_or_default();
    let timeline = u32::try_from(timeline).unwrap_or_default();
    up.timeline.store(timeline, Ordering::Release);
}

fn replayed(row: &Row) -> Option<Lsn> {
    let place: Option<PgLsn> = row.get("replayed");
    place.map(|place| Lsn(place.into()))
}

async fn run(session: &Session) -> Result<String, String> {
    Ok(first(session, RUN).await?.get("started"))
}

async fn first(session: &Session, sql: &str) -> Result<Row, String> {
    let outcome = session.run_alone(sql, &[]).await;
    let outcome = outcome.map_err(|error| DatabaseError::from(error).to_string())?;
    let row = outcome.rows.into_iter().next();
    row.ok_or_else(|| "it gave no answer".to_owned())
}
