//! How searches share the database. A short search runs on the lanes for searches, where a few wait
//! behind each other for milliseconds. A search that is not done after [`AT_ONCE`] is cancelled
//! there and restarted on one of few connections, which are shared fairly among tenants and users:
//! a user who searches through millions of records waits for that, and others do not.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::asker::Asker;
use crate::error::DatabaseError;
use crate::gate::{Gate, GatePermit, Limits};

/// How long a search may block those behind it on a lane.
pub(crate) const AT_ONCE: Duration = Duration::from_millis(400);
/// How long a search waits for its turn among those of its tenant and user.
const WAIT_MOST: Duration = Duration::from_secs(20);
/// How long a search of the program itself waits.
const OWN_WAIT_MOST: Duration = Duration::from_secs(600);
/// One in so many connections of the pool may be taken by slow searches.
const POOLED_SHARE: usize = 4;
/// How long a search counts as slow.
const SLOW_FOR: Duration = Duration::from_secs(60);
/// The most slow searches that are remembered.
const SLOW_MAX: usize = 1_000;
/// The most slow searches of one user that may wait.
const WAITING_SLOW_MAX: usize = 64;
/// The most short searches that may wait; each belongs to a request, whose number has a limit of
/// its own.
const WAITING_MAX: usize = 10_000;

pub(crate) struct Searches {
    on_lanes: Arc<Gate>,
    alone: Arc<Gate>,
    /// When a search was last slow, by asker and by its text without values.
    slow: Mutex<HashMap<u64, Instant>>,
    hasher: RandomState,
}

impl Searches {
    /// For so many lanes for searches and so many pooled connections. Without the latter a search
    /// stays on its lane to the end, and each user leaves one lane to others.
    pub(crate) fn new(lanes: usize, pooled: Option<usize>) -> Self {
        let on_lanes = match pooled {
            Some(_) => Limits {
                all: usize::MAX,
                of_tenant: lanes * 4,
                of_user: lanes * 2,
                waiting_of_user: WAITING_MAX,
            },
            None => Limits {
                all: usize::MAX,
                of_tenant: usize::MAX,
                of_user: lanes.saturating_sub(1).max(1),
                waiting_of_user: WAITING_MAX,
            },
        };
        let all = (pooled.unwrap_or_default() / POOLED_SHARE).max(1);
        let alone = Limits {
            all,
            of_tenant: all.saturating_sub(1).max(1),
            of_user: (all / 2).max(1),
            waiting_of_user: WAITING_SLOW_MAX,
        };
        Self {
            on_lanes: Gate::new(on_lanes),
            alone: Gate::new(alone),
            slow: Mutex::default(),
            hasher: RandomState::new(),
        }
    }

    /// A turn on the lanes. The program's own searches, which are few, need none.
    pub(crate) async fn turn(&self, asker: Option<Asker>) -> Result<Turn, DatabaseError> {
        let place = match asker {
            None => None,
            Some(asker) => {
                let entered = self.on_lanes.enter(asker, WAIT_MOST).await;
                Some(entered.map_err(|_| busy())?)
            }
        };
        Ok(Turn(place))
    }

    /// A turn on a connection of its own. The program's own searches may wait longer.
    pub(crate) async fn alone(&self, asker: Option<Asker>) -> Result<GatePermit, DatabaseError> {
        let wait = match asker {
            Some(_) => WAIT_MOST,
            None => OWN_WAIT_MOST,
        };
        let entered = self.alone.enter(asker.unwrap_or_default(), wait).await;
        entered.map_err(|_| busy())
    }

    /// Whether this asker's search was slow a while ago.
    pub(crate) fn is_slow(&self, asker: Option<Asker>, sql: &str) -> bool {
        let slow = self.slow.lock().unwrap_or_else(PoisonError::into_inner);
        let found = slow.get(&self.hasher.hash_one((asker, sql)));
        found.is_some_and(|since| since.elapsed() < SLOW_FOR)
    }

    /// Records whether a search was slow.
    pub(crate) fn note(&self, asker: Option<Asker>, sql: &str, is_slow: bool) {
        let key = self.hasher.hash_one((asker, sql));
        let mut slow = self.slow.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_slow {
            slow.remove(&key);
            return;
        }
        if slow.len() >= SLOW_MAX {
            slow.retain(|_, since| since.elapsed() < SLOW_FOR);
        }
        if slow.len() >= SLOW_MAX {
            slow.clear();
        }
        slow.insert(key, Instant::now());
    }
}

fn busy() -> DatabaseError {
    DatabaseError::Busy {
        what: "Too many searches of yours are under way; wait until some of them are answered, or \
               narrow them with further conditions",
    }
}

/// A turn on the lanes. An abandoned search leaves a statement that still runs, so the turn is kept
/// until that is cancelled at the latest.
pub(crate) struct Turn(Option<GatePermit>);

impl Turn {
    /// Ends the turn when the answer has arrived.
    pub(crate) fn over(mut self) {
        self.0 = None;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Some(place) = self.0.take() else { return };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                tokio::time::sleep(AT_ONCE).await;
                drop(place);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_slow_is_remembered_of_whoever_asked() {
        let searches = Searches::new(2, Some(16));
        let (ann, ben) = (Asker::of("diku", "ann"), Asker::of("diku", "ben"));
        searches.note(Some(ann), "SELECT 1", true);
        assert!(searches.is_slow(Some(ann), "SELECT 1"));
        assert!(!searches.is_slow(Some(ben), "SELECT 1"));
        assert!(!searches.is_slow(Some(ann), "SELECT 2"));
        searches.note(Some(ann), "SELECT 1", false);
        assert!(!searches.is_slow(Some(ann), "SELECT 1"));
        for at in 0..2 * SLOW_MAX {
            searches.note(None, &at.to_string(), true);
        }
        assert!(searches.slow.lock().unwrap().len() <= SLOW_MAX);
    }
}
