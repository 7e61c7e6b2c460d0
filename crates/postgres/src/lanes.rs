//! Lanes: a few connections shared by every request. Single statements are sent without waiting
//! for the answers of others (the driver pipelines), so four lanes carry what a pool of many would.
//!
//! Nothing here may hold a transaction: statements of different requests mix on one lane.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use tokio::task::AbortHandle;
use tokio_postgres::{Config, Row};

use crate::error::DatabaseError;
use crate::session::{Outcome, Params, Session, SessionSettings, TypedParams};

const BACK_OFF_FIRST: Duration = Duration::from_millis(50);
const BACK_OFF_MOST: Duration = Duration::from_secs(2);
/// A lane with fewer statements under way than this has room.
const PIPELINED: usize = 8;

pub(crate) struct Lanes {
    lanes: Vec<Arc<Lane>>,
    keepers: Vec<AbortHandle>,
}

struct Lane {
    session: RwLock<Option<Arc<Session>>>,
    load: AtomicUsize,
    why_down: Mutex<String>,
}

/// Counts a call on its lane; a dropped call stops counting, though the server may work on.
struct Load<'a>(&'a AtomicUsize);

impl Drop for Load<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Lanes {
    /// Opens all lanes; fails when the first attempt of any does.
    pub(crate) async fn open(
        config: &Config,
        settings: &SessionSettings,
        count: usize,
    ) -> Result<Self, DatabaseError> {
        let opening = (0..count.max(1)).map(|_| Session::open(config, settings));
        let sessions = futures_util::future::try_join_all(opening).await?;
        let mut lanes = Vec::with_capacity(sessions.len());
        let mut keepers = Vec::with_capacity(sessions.len());
        for session in sessions {
            let lane = Arc::new(Lane {
                session: RwLock::new(Some(Arc::new(session))),
                load: AtomicUsize::new(0),
                why_down: Mutex::default(),
            });
            let keeper = keep_up(Arc::clone(&lane), config.clone(), settings.clone());
            keepers.push(tokio::spawn(keeper).abort_handle());
            lanes.push(lane);
        }
        Ok(Self { lanes, keepers })
    }

    pub(crate) async fn run(
        &self,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Outcome, DatabaseError> {
        let (lane, session) = self.pick()?;
        lane.load.fetch_add(1, Ordering::Relaxed);
        let _load = Load(&lane.load);
        Ok(session
            .unless_silent(session.run_alone(sql, params))
            .await?)
    }

    /// As [`Self::run`], for a statement that is planned with these values.
    pub(crate) async fn run_fresh(
        &self,
        sql: &str,
        params: TypedParams<'_>,
    ) -> Result<Vec<Row>, DatabaseError> {
        let (lane, session) = self.pick()?;
        lane.load.fetch_add(1, Ordering::Relaxed);
        let _load = Load(&lane.load);
        Ok(session
            .unless_silent(session.run_fresh(sql, params))
            .await?)
    }

    /// Lanes that can take a statement now.
    pub(crate) fn up(&self) -> usize {
        self.lanes
            .iter()
            .filter(|lane| lane.current().is_some())
            .count()
    }

    pub(crate) fn count(&self) -> usize {
        self.lanes.len()
    }

    /// Closes the connections for good: calls under way still get their answers.
    pub(crate) fn close(&self) {
        for (keeper, lane) in self.keepers.iter().zip(&self.lanes) {
            keeper.abort();
            lane.note("the connections were closed".to_owned());
            lane.set(None);
        }
    }

    /// The first lane with room in its pipeline; when none has, the least busy. Statements that
    /// travel together share their system calls, so a few full lanes beat many half-empty ones;
    /// the others are for when a slow statement holds up what is sent behind it.
    fn pick(&self) -> Result<(&Lane, Arc<Session>), DatabaseError> {
        let mut best: Option<(usize, &Lane, Arc<Session>)> = None;
        for lane in &self.lanes {
            let fill = lane.load.load(Ordering::Relaxed) / PIPELINED;
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
            None => Err(DatabaseError::Unavailable {
                reason: self.why_down(),
            }),
        }
    }

    fn why_down(&self) -> String {
        self.lanes
            .iter()
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

impl Drop for Lanes {
    fn drop(&mut self) {
        for keeper in &self.keepers {
            keeper.abort();
        }
    }
}

impl Lane {
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

    fn note(&self, reason: String) {
        *self.why_down.lock().unwrap_or_else(PoisonError::into_inner) = reason;
    }
}

/// Waits for the lane's connection to end and opens another, for as long as the lanes live.
async fn keep_up(lane: Arc<Lane>, config: Config, settings: SessionSettings) {
    loop {
        let session = lane.current();
        if let Some(session) = session {
            session.closed().await;
        }
        lane.set(None);
        tracing::warn!("a database lane is down; reconnecting");
        let session = reopen(&lane, &config, &settings).await;
        lane.note(String::new());
        lane.set(Some(Arc::new(session)));
        tracing::info!("a database lane is up again");
    }
}

async fn reopen(lane: &Lane, config: &Config, settings: &SessionSettings) -> Session {
    let mut pause = BACK_OFF_FIRST;
    loop {
        // Before the first attempt too: a server that accepts and hangs up is not to be hammered.
        tokio::time::sleep(pause).await;
        match Session::open(config, settings).await {
            Ok(session) => return session,
            Err(DatabaseError::Unavailable { reason }) => lane.note(reason),
            Err(error) => lane.note(error.to_string()),
        }
        pause = (pause * 2).min(BACK_OFF_MOST);
    }
}
