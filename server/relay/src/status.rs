//! What the relay of this process does, for its page and the metrics.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use octavo_platform::exposition::{Exposition, Kind, Source};
use octavo_records::store::Backlog;

/// Figures of the relay since the process started.
#[derive(Debug, Default)]
pub struct Status {
    /// Whether this process is the one that relays.
    pub leading: AtomicBool,
    /// Messages that were sent.
    pub sent: AtomicU64,
    /// The bytes of their values.
    pub sent_bytes: AtomicU64,
    /// Events that FOLIO publishes nowhere.
    pub skipped: AtomicU64,
    /// Events that were parked.
    pub parked: AtomicU64,
    /// Messages that were not taken, and are tried again.
    pub failed: AtomicU64,
    /// Times that the lease was taken.
    pub taken: AtomicU64,
    problem: Mutex<Option<String>>,
    /// What keeps it from making topics; a broker that lets nobody in shows here first.
    topics_problem: Mutex<Option<String>>,
    backlogs: Mutex<HashMap<String, Backlog>>,
    rate: Mutex<Rate>,
}

/// Messages a second, over the time between two looks.
#[derive(Debug, Clone, Copy)]
struct Rate {
    at: Instant,
    sent: u64,
    per_second: f64,
}

impl Default for Rate {
    fn default() -> Rate {
        Rate {
            at: Instant::now(),
            sent: 0,
            per_second: 0.0,
        }
    }
}

impl Status {
    /// Notes what keeps the relay from sending.
    pub(crate) fn trouble(&self, problem: Option<String>) {
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = problem;
    }

    /// Notes what keeps the relay from making and removing topics.
    pub(crate) fn trouble_with_topics(&self, problem: Option<String>) {
        let topics_problem = self.topics_problem.lock();
        *topics_problem.unwrap_or_else(PoisonError::into_inner) = problem;
    }

    /// What keeps the relay from sending, or from making topics, if anything does.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let problems = [&self.problem, &self.topics_problem];
        problems
            .into_iter()
            .find_map(|one| one.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    pub(crate) fn set_backlogs(&self, backlogs: HashMap<String, Backlog>) {
        *self.backlogs.lock().unwrap_or_else(PoisonError::into_inner) = backlogs;
    }

    /// What all tenants have unsent together, and the age of the oldest event of them.
    #[must_use]
    pub fn backlog(&self) -> Backlog {
        let backlogs = self.backlogs.lock().unwrap_or_else(PoisonError::into_inner);
        backlogs
            .values()
            .fold(Backlog::default(), |all, one| Backlog {
                events: all.events + one.events,
                oldest_ms: all.oldest_ms.max(one.oldest_ms),
            })
    }

    /// Messages a second since the last look some seconds ago.
    #[must_use]
    pub fn rate(&self) -> f64 {
        let mut rate = self.rate.lock().unwrap_or_else(PoisonError::into_inner);
        let (now, sent) = (Instant::now(), self.sent.load(Ordering::Relaxed));
        let seconds = now.duration_since(rate.at).as_secs_f64();
        if seconds >= 1.0 {
            *rate = Rate {
                at: now,
                sent,
                per_second: (sent - rate.sent) as f64 / seconds,
            };
        }
        rate.per_second
    }
}

impl Source for Status {
    fn write(&self, text: &mut Exposition) {
        let load = |one: &AtomicU64| one.load(Ordering::Relaxed);
        let leading = u8::from(self.leading.load(Ordering::Relaxed));
        let help = "1 in the process that relays events.";
        text.single("octavo_relay_leading", Kind::Gauge, help, leading);
        for (name, help, value) in [
            (
                "octavo_relay_sent_total",
                "Messages that were sent.",
                &self.sent,
            ),
            (
                "octavo_relay_sent_bytes_total",
                "Bytes of their values.",
                &self.sent_bytes,
            ),
            (
                "octavo_relay_skipped_total",
                "Events that FOLIO publishes nowhere.",
                &self.skipped,
            ),
            (
                "octavo_relay_parked_total",
                "Events that the broker never takes.",
                &self.parked,
            ),
            (
                "octavo_relay_failed_total",
                "Messages that were sent again.",
                &self.failed,
            ),
            (
                "octavo_relay_taken_total",
                "Times that this process began to relay.",
                &self.taken,
            ),
        ] {
            text.single(name, Kind::Counter, help, load(value));
        }
        let left = self.backlog();
        let help = "Events that are not sent yet, counted up to 100000 for each tenant.";
        text.single("octavo_relay_unsent", Kind::Gauge, help, left.events);
        let help = "The age of the oldest of them.";
        let seconds = left.oldest_ms as f64 / 1_000.0;
        text.single(
            "octavo_relay_oldest_unsent_seconds",
            Kind::Gauge,
            help,
            seconds,
        );
        let rate = self.rate();
        text.single(
            "octavo_relay_sent_per_second",
            Kind::Gauge,
            "Messages a second.",
            rate,
        );
        let trouble = u8::from(self.problem().is_some());
        let help = "1 while messages are not taken.";
        text.single("octavo_relay_trouble", Kind::Gauge, help, trouble);
    }
}
