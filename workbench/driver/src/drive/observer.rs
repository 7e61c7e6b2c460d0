//! Observers of a run, and the control that changes it while it runs.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use octavo_figures::Series;
use octavo_figures::run::{Run, Timeline};

/// Changes the load of a running run. All clones control the same run.
#[derive(Debug, Clone, Default)]
pub struct Control {
    commands: Arc<Commands>,
}

#[derive(Debug, Default)]
struct Commands {
    /// 0: as planned.
    users: AtomicUsize,
    stopped: AtomicBool,
    why: Mutex<String>,
}

impl Control {
    /// Sets the number of users from now on, whatever was planned; `None` for the plan.
    pub fn set_users(&self, users: Option<usize>) {
        self.commands
            .users
            .store(users.unwrap_or(0), Ordering::Relaxed);
    }

    /// The number of users set in place of the plan's.
    pub fn users(&self) -> Option<usize> {
        Some(self.commands.users.load(Ordering::Relaxed)).filter(|users| *users > 0)
    }

    /// Ends the run as soon as open requests are answered.
    pub fn stop(&self, why: &str) {
        let mut reason = self
            .commands
            .why
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if !self.commands.stopped.swap(true, Ordering::Relaxed) {
            why.clone_into(&mut reason);
        }
    }

    /// Why the run is to end; `None` when it is not.
    pub fn stopped(&self) -> Option<String> {
        let stopped = self.commands.stopped.load(Ordering::Relaxed);
        stopped.then(|| {
            let reason = self
                .commands
                .why
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            reason.clone()
        })
    }
}

/// A run in progress.
pub struct Live<'r> {
    /// Since its beginning.
    pub elapsed: Duration,
    /// Its planned length.
    pub whole: Duration,
    /// The present stage and the number of stages.
    pub stage: (usize, usize),
    pub users: usize,
    pub wanted: usize,
    /// Iterations a second that are due, in the open model.
    pub rate: Option<f64>,
    /// Requests so far, and failed ones.
    pub requests: (u64, u64),
    /// The transactions' names.
    pub names: &'r [String],
    /// All transactions so far, with the times that patrons experience.
    pub transactions: &'r [Series],
    /// Those of the last second.
    pub latest: &'r [Series],
    /// The run over time.
    pub timeline: &'r Timeline,
}

/// Observes a run.
pub trait Observer {
    /// The run begins at `started`; an earlier part has done `offset` of it.
    fn begun(&mut self, _started: Instant, _offset: Duration) {}

    /// Another second has passed. Returns whether the record of the run so far is wanted.
    fn second(&mut self, _live: &Live<'_>) -> bool {
        false
    }

    /// The record so far, if it was wanted.
    fn record(&mut self, _run: Run) {}
}

/// No observer.
impl Observer for () {}
