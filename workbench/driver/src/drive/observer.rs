//! Who watches a run and who may change it while it goes on.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use octavo_figures::Series;
use octavo_figures::run::{Run, Timeline};

/// Changes the load of a run while it goes on. All clones change the same run.
#[derive(Debug, Clone, Default)]
pub struct Control {
    wishes: Arc<Wishes>,
}

#[derive(Debug, Default)]
struct Wishes {
    /// 0: as planned.
    users: AtomicUsize,
    stopped: AtomicBool,
    why: Mutex<String>,
}

impl Control {
    /// Wants so many users from now on, whatever was planned; none as planned.
    pub fn set_users(&self, users: Option<usize>) {
        self.wishes
            .users
            .store(users.unwrap_or(0), Ordering::Relaxed);
    }

    /// The users that are wanted instead of the planned ones.
    pub fn users(&self) -> Option<usize> {
        Some(self.wishes.users.load(Ordering::Relaxed)).filter(|users| *users > 0)
    }

    /// Ends the run as soon as open requests are answered.
    pub fn stop(&self, why: &str) {
        let mut reason = self
            .wishes
            .why
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if !self.wishes.stopped.swap(true, Ordering::Relaxed) {
            why.clone_into(&mut reason);
        }
    }

    /// Why the run is to end; none when it is not.
    pub fn stopped(&self) -> Option<String> {
        let stopped = self.wishes.stopped.load(Ordering::Relaxed);
        stopped.then(|| {
            let reason = self
                .wishes
                .why
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            reason.clone()
        })
    }
}

/// A run while it goes on.
pub struct Live<'r> {
    /// Since its begin.
    pub elapsed: Duration,
    /// As long as it was planned.
    pub whole: Duration,
    /// The stage that is on: its number, and how many there are.
    pub stage: (usize, usize),
    /// Virtual users at work.
    pub users: usize,
    /// Virtual users wanted.
    pub wanted: usize,
    /// Iterations a second that are due, in the open model.
    pub rate: Option<f64>,
    /// Requests so far, and failed ones.
    pub requests: (u64, u64),
    /// The transactions' names.
    pub names: &'r [String],
    /// All of them so far, as patrons felt them.
    pub transactions: &'r [Series],
    /// Those of the last second.
    pub latest: &'r [Series],
    /// The run over time.
    pub timeline: &'r Timeline,
}

/// Is told how a run goes.
pub trait Observer {
    /// The run begins at this moment, with so much of it done by an earlier part.
    fn begun(&mut self, _started: Instant, _offset: Duration) {}

    /// Another second has passed. Whoever wants the record of the run so far says so.
    fn second(&mut self, _live: &Live<'_>) -> bool {
        false
    }

    /// The record so far, when it was wanted.
    fn record(&mut self, _run: Run) {}
}

/// Nobody watches.
impl Observer for () {}
