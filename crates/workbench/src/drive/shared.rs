//! What all virtual users of a run share: the plan, the feeders, the end of the run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::arrivals::Arrivals;
use super::groups::Groups;
use crate::feeder::Feeders;
use crate::http::{Endpoint, Limits};
use crate::measure::Catalogue;
use crate::session::Target;
use crate::workload::Workload;

/// Timers wake at the next whole millisecond. In the open model it is better to begin that much early
/// than that much late: the lateness would be taken for the server's.
pub(super) const EARLY: Duration = Duration::from_millis(1);

/// Shared by all virtual users.
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
    pub(super) virtual_users: usize,
    pub(super) ramp_up: Duration,
    pub(super) started: Instant,
    pub(super) deadline: Instant,
    /// When iterations are due in the open model, from the end of the ramp-up on.
    pub(super) arrivals: Option<Arrivals>,
    /// The same for each group of virtual users, when there are groups.
    pub(super) groups: Groups,
    /// What begins before is warm-up.
    pub(super) counted_from: Instant,
    /// Virtual users at work.
    pub(super) active: AtomicUsize,
    /// Iterations that may still start, when they are limited.
    pub(super) iterations_left: Option<AtomicI64>,
    /// Set when the run is to end early; the channel wakes those who sleep.
    pub(super) stopped: AtomicBool,
    pub(super) stop: watch::Receiver<bool>,
}

impl Shared {
    /// Whether nothing new may begin.
    pub(super) fn is_over(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }

    /// Iterations a second that are due now, in the open model and once the ramp-up is over.
    pub(super) fn rate_now(&self) -> Option<f64> {
        let time = self.started.elapsed().checked_sub(self.ramp_up)?;
        Some(self.arrivals.as_ref()?.rate_at(time))
    }

    /// Asks for leave to start one more iteration.
    pub(super) fn may_iterate(&self) -> bool {
        if self.is_over() {
            return false;
        }
        match &self.iterations_left {
            None => true,
            Some(left) => left.fetch_sub(1, Ordering::Relaxed) > 0,
        }
    }

    /// When a virtual user begins: evenly spread over the ramp-up, as JMeter does it.
    pub(super) fn begin_of(&self, user: usize) -> Instant {
        self.started
            + self
                .ramp_up
                .mul_f64(user as f64 / self.virtual_users as f64)
    }

    /// Sleeps until then; false when the run ended before.
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
