//! Lanes: a few connections shared by all requests. Single statements are sent without waiting for
//! the answers to others (the driver pipelines), so four lanes carry what a pool of many would.
//! Searches have lanes of their own, so that no look-up by key waits behind one.
//!
//! Nothing here may hold a transaction: statements of different requests are mixed on one lane.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio_postgres::{Config, Row};

use crate::backoff::Backoff;
use crate::error::DatabaseError;
use crate::pulse::Pulse;
use crate::session::{Outcome, Params, Reading, Session, SessionSettings};

/// A lane with fewer running statements than this has room.
const PIPELINED: usize = 8;
/// A lane that has answered nothing for so long is blocked by a slow statement, and other lanes are
/// better: what is sent to it would wait too.
const HELD_UP_US: u64 = 500;
/// The most lanes for searches; searches are cancelled early on them, so that few suffice.
const SEARCHING_MAX: usize = 8;

/// The number of lanes for searches, given that of lanes for look-ups.
pub(crate) fn searching(lanes: usize) -> usize {
    (lanes / 2).clamp(1, SEARCHING_MAX)
}

pub(crate) struct Lanes {
    lanes: Vec<Arc<Lane>>,
    searching: Vec<Arc<Lane>>,
    opened: Instant,
    pulse: Arc<Pulse>,
    keepers: Vec<AbortHandle>,
}

struct Lane {
    session: RwLock<Option<Arc<Session>>>,
    /// Running statements.
    load: AtomicUsize,
    /// When it last answered, or got a statement while idle: microseconds since the lanes opened.
    moved_us: AtomicU64,
    why_down: Mutex<String>,
    /// Signals that another connection should replace it.
    renew: Notify,
}

/// Counts a call on its lane until it is dropped, though the server may still be working on it.
struct Load<'a>(&'a Lane);

impl Drop for Load<'_> {
    fn drop(&mut self) {
        self.0.load.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Lanes {
    /// Opens all lanes; fails when the first attempt of any does. Lanes for searches have settings
    /// of their own.
    pub(crate) async fn open(
        config: &Config,
        settings: &SessionSettings,
        of_searches: &SessionSettings,
        count: usize,
    ) -> Result<Self, DatabaseError> {
        let mut lanes = Self::open_once(config, settings, of_searches, count).await?;
        let each = lanes
            .lanes
            .iter()
            .map(|lane| (lane, settings))
            .chain(lanes.searching.iter().map(|lane| (lane, of_searches)));
        let keepers = each.zip(1..).map(|((lane, settings), number)| {
            let keeper = keep_up(Arc::clone(lane), number, config.clone(), settings.clone());
            tokio::spawn(keeper).abort_handle()
        });
        lanes.keepers = keepers.collect();
        Ok(lanes)
    }

    /// The same, but a lost lane does not reconnect.
    pub(crate) async fn open_once(
        config: &Config,
        settings: &SessionSettings,
        of_searches: &SessionSettings,
        count: usize,
    ) -> Result<Self, DatabaseError> {
        let count = count.max(1);
        let opening = (1..=count + searching(count)).map(|number| {
            let settings = if number > count {
                of_searches
            } else {
                settings
            };
            Session::open(config, settings, name(number))
        });
        let mut sessions = futures_util::future::try_join_all(opening).await?;
        let of_searches = sessions.split_off(count);
        let lane = |session| {
            Arc::new(Lane {
                session: RwLock::new(Some(Arc::new(session))),
                load: AtomicUsize::new(0),
                moved_us: AtomicU64::new(0),
                why_down: Mutex::default(),
                renew: Notify::new(),
            })
        };
        Ok(Self {
            lanes: sessions.into_iter().map(lane).collect(),
            searching: of_searches.into_iter().map(lane).collect(),
            opened: Instant::now(),
            pulse: Arc::clone(&settings.pulse),
            keepers: Vec::new(),
        })
    }

    pub(crate) fn sessions(&self) -> Vec<Arc<Session>> {
        self.each().filter_map(|lane| lane.current()).collect()
    }

    fn each(&self) -> impl Iterator<Item = &Arc<Lane>> {
        self.lanes.iter().chain(&self.searching)
    }

    pub(crate) async fn run(
        &self,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Outcome, DatabaseError> {
        let now_us = self.now_us();
        let (lane, session) = self.pick(&self.lanes, |lane| lane.fill(now_us))?;
        let _load = self.enter(lane, now_us);
        let answer = session.run_alone(sql, params).await;
        lane.moved_us.store(self.now_us(), Ordering::Relaxed);
        lane.renew_if_swollen(&session);
        answer.map_err(|error| DatabaseError::of(error, sql))
    }

    /// Counts a statement on its lane for as long as the returned value lives.
    fn enter<'a>(&self, lane: &'a Lane, now_us: u64) -> Load<'a> {
        if lane.load.fetch_add(1, Ordering::Relaxed) == 0 {
            lane.moved_us.store(now_us, Ordering::Relaxed);
        }
        Load(lane)
    }

    fn now_us(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Runs a search on the least busy of the lanes for searches.
    pub(crate) async fn search(&self, reading: Reading<'_>) -> Result<Vec<Row>, DatabaseError> {
        let load = |lane: &Lane| lane.load.load(Ordering::Relaxed);
        let (lane, session) = self.pick(&self.searching, load)?;
        let _load = self.enter(lane, self.now_us());
        let answer = session.read(reading).await;
        lane.renew_if_swollen(&session);
        answer.map_err(|error| DatabaseError::of(error, reading.sql()))
    }

    /// The number of connected lanes.
    pub(crate) fn up(&self) -> usize {
        self.lanes
            .iter()
            .filter(|lane| lane.current().is_some())
            .count()
    }

    pub(crate) fn count(&self) -> usize {
        self.lanes.len()
    }

    /// Closes the connections for good: running calls still complete.
    pub(crate) fn close(&self) {
        // First, or they would reopen what is closed below.
        for keeper in &self.keepers {
            keeper.abort();
        }
        for lane in self.each() {
            lane.note("the connections were closed".to_owned());
            lane.set(None);
        }
    }

    /// The first lane that is not blocked and has room in its pipeline; if there is none, the least
    /// full. Statements that travel together share their system calls, so a few full lanes beat
    /// many half-empty ones.
    fn pick<'a>(
        &self,
        lanes: &'a [Arc<Lane>],
        fill: impl Fn(&Lane) -> usize,
    ) -> Result<(&'a Lane, Arc<Session>), DatabaseError> {
        let mut best: Option<(usize, &Lane, Arc<Session>)> = None;
        for lane in lanes {
            let fill = fill(lane);
            if best.as_ref().is_some_and(|(least, ..)| *least <= fill) {
                continue;
            }
            if let Some(session) = lane.current() {
                best = Some((fill, lane, session));
                if fill == 0 {
                    break;
                }
            }
        }
        match best {
            Some((_, lane, session)) => Ok((lane, session)),
            None => Err(DatabaseError::unreachable(self.why_down())),
        }
    }

    fn why_down(&self) -> String {
        if self.pulse.is_silent() {
            return Pulse::SILENT.to_owned();
        }
        self.each()
            .map(|lane| {
                lane.why_down
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .clone()
            })
            .find(|reason| !reason.is_empty())
            .unwrap_or_else(|| "the connection was lost".to_owned())
    }
}

/// The name of a lane in traces.
fn name(number: usize) -> String {
    format!("lane {number}")
}

/// How full a lane is: 0 while its pipeline has room. On a lane that has been blocked for a while,
/// each statement counts.
fn fill(load: usize, still_us: u64) -> usize {
    if still_us > HELD_UP_US {
        load
    } else {
        load / PIPELINED
    }
}

impl Drop for Lanes {
    fn drop(&mut self) {
        for keeper in &self.keepers {
            keeper.abort();
        }
    }
}

impl Lane {
    fn fill(&self, now_us: u64) -> usize {
        fill(
            self.load.load(Ordering::Relaxed),
            now_us.saturating_sub(self.moved_us.load(Ordering::Relaxed)),
        )
    }

    fn current(&self) -> Option<Arc<Session>> {
        let session = self.session.read().unwrap_or_else(PoisonError::into_inner);
        session
            .as_ref()
            .filter(|session| !session.is_closed())
            .cloned()
    }

    fn set(&self, session: Option<Arc<Session>>) {
        *self.session.write().unwrap_or_else(PoisonError::into_inner) = session;
    }

    fn renew_if_swollen(&self, session: &Session) {
        if session.has_large_buffers() {
            self.renew.notify_one();
        }
    }

    fn note(&self, reason: String) {
        *self.why_down.lock().unwrap_or_else(PoisonError::into_inner) = reason;
    }
}

/// Waits for the lane's connection to end and opens another, for as long as the lanes exist.
async fn keep_up(lane: Arc<Lane>, number: usize, config: Config, settings: SessionSettings) {
    loop {
        let session = lane.current();
        if let Some(session) = session {
            tokio::select! {
                () = session.closed() => {}
                () = lane.renew.notified() => {
                    drop(session);
                    renew(&lane, number, &config, &settings).await;
                    continue;
                }
            }
        }
        // Until another connection is open, `pick` passes the lane over.
        lane.set(None);
        tracing::warn!("a database lane is down; reconnecting");
        let session = reopen(&lane, number, &config, &settings).await;
        lane.note(String::new());
        lane.set(Some(Arc::new(session)));
        tracing::info!("a database lane is up again");
    }
}

/// Replaces a connection that holds too much memory; the old one ends when its running statements
/// are answered.
async fn renew(lane: &Lane, number: usize, config: &Config, settings: &SessionSettings) {
    if !lane
        .current()
        .is_some_and(|session| session.has_large_buffers())
    {
        return;
    }
    match Session::open(config, settings, name(number)).await {
        Ok(session) => lane.set(Some(Arc::new(session))),
        // The next statement signals it again.
        Err(error) => tracing::debug!(%error, "a database lane could not be renewed"),
    }
}

async fn reopen(
    lane: &Lane,
    number: usize,
    config: &Config,
    settings: &SessionSettings,
) -> Session {
    let mut backoff = Backoff::of_connections();
    loop {
        // Also before the first attempt, so as not to flood a server that accepts connections and
        // closes them at once.
        tokio::time::sleep(backoff.pause()).await;
        match Session::open(config, settings, name(number)).await {
            Ok(session) => return session,
            Err(DatabaseError::Unavailable { reason, .. }) => lane.note(reason),
            Err(error) => lane.note(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_with_a_slow_statement_is_passed_over_and_an_idle_one_never_is() {
        assert_eq!(fill(0, u64::MAX), 0);
        assert_eq!(fill(PIPELINED - 1, HELD_UP_US), 0);
        assert_eq!(fill(PIPELINED, 0), 1);
        assert_eq!(fill(1, HELD_UP_US + 1), 1);
        assert!(fill(3, HELD_UP_US + 1) > fill(2, HELD_UP_US + 1));
    }

    #[test]
    fn searches_have_half_as_many_lanes_more_and_eight_at_most() {
        let counts = [1, 2, 4, 7, 32].map(searching);
        assert_eq!(counts, [1, 1, 2, 3, 8]);
    }
}
