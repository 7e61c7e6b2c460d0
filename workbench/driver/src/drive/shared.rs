//! The state that all virtual users of a run share: the plan, the feeders, the end of the run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use octavo_client::{Endpoint, Limits};
use tokio::sync::watch;

use super::arrivals::Arrivals;
use super::groups::Groups;
use super::schedule::Schedule;
use crate::feeder::Feeders;
use crate::measure::{Bounds, Catalogue};
use crate::session::Target;
use crate::workload::Workload;

pub(super) struct Shared {
    pub(super) workload: Workload,
    pub(super) catalogue: Arc<Catalogue>,
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) target: Target,
    pub(super) limits: Limits,
    pub(super) feeders: Arc<Feeders>,
    /// By branch.
    pub(super) weights: Vec<u32>,
    pub(super) think: bool,
    pub(super) seed: u64,
    pub(super) schedule: Schedule,
    /// When each stage's figures begin and end.
    pub(super) bounds: Arc<[Bounds]>,
    pub(super) deadline: Instant,
    pub(super) ramp_up: Duration,
    /// When iterations are due in the open model, from the end of the ramp-up on.
    pub(super) arrivals: Option<Arrivals>,
    /// The same for each group of virtual users, if there are groups.
    pub(super) groups: Groups,
    /// The number of working virtual users.
    pub(super) active: AtomicUsize,
    /// The number of virtual users that should work.
    pub(super) wanted: watch::Receiver<usize>,
    /// Iterations that may still start, if they are limited.
    pub(super) iterations_left: Option<AtomicI64>,
    /// Set when the run is to end early; the channel wakes sleeping users.
    pub(super) stopped: AtomicBool,
    pub(super) stop: watch::Receiver<bool>,
}

impl Shared {
    /// Whether nothing new may begin.
    pub(super) fn is_over(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }

    /// Iterations a second that are due now, in the open model and after the ramp-up.
    pub(super) fn rate_now(&self) -> Option<f64> {
        let time = self.schedule.elapsed().checked_sub(self.ramp_up)?;
        Some(self.arrivals.as_ref()?.rate_at(time))
    }

    /// Whether anything has a rate.
    pub(super) fn is_open(&self) -> bool {
        self.arrivals.is_some() || self.groups.are_paced()
    }

    /// Whether users pause now.
    pub(super) fn pauses(&self) -> bool {
        self.think && self.schedule.pauses_at(self.schedule.elapsed())
    }

    /// Takes one of the remaining iterations; false when there is none.
    pub(super) fn may_iterate(&self) -> bool {
        if self.is_over() {
            return false;
        }
        match &self.iterations_left {
            None => true,
            Some(left) => left.fetch_sub(1, Ordering::Relaxed) > 0,
        }
    }

    /// Sleeps until an instant; false when the run ended before.
    pub(super) async fn sleep_until(
        &self,
        then: Instant,
        stop: &mut watch::Receiver<bool>,
    ) -> bool {
        let end = then.min(self.deadline);
        tokio::select! {
            () = tokio::time::sleep_until(end.into()) => then <= self.deadline && !self.is_over(),
            _ = stop.wait_for(|stop| *stop) => false,
        }
    }
}
