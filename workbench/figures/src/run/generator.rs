//! Whether the generator itself kept up: what it used of the processors, and how late it was. A run
//! whose generator was the bottleneck says little about the server.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Statistics;

/// Above this share of its threads' time the generator has no room for an even load.
const BUSY: f64 = 0.9;
/// A free user that begins later than this, in ms, at the 99th percentile, was held up by us.
const LATE_MS: f64 = 5.0;
/// More iterations than this share that found no free user are worth a word.
const OVERDUE: f64 = 0.01;

/// The generator's own part in a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Generator {
    /// Processor time of this process, in seconds; none where the system does not tell.
    pub processor_s: Option<f64>,
    /// The same as a share of its threads' time.
    pub processor_share: Option<f64>,
    /// How the open model was kept.
    pub open: Option<OpenModel>,
    /// Why the figures say more about the generator than about the server.
    pub bottleneck: Option<String>,
}

/// What was due and what became of it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct OpenModel {
    /// Iterations that were due.
    pub due: u64,
    /// Those of them that nobody began before the run was over.
    pub not_begun: u64,
    /// Those that were due while every user was busy.
    pub overdue: u64,
    /// How late users that were free began.
    pub lateness: Statistics,
}

impl Generator {
    /// From processor time used by so many threads over a time, and how the open model was kept.
    pub fn new(
        threads: usize,
        whole: Duration,
        used: Option<Duration>,
        open: Option<OpenModel>,
    ) -> Self {
        let available = whole.as_secs_f64().max(1e-9) * threads as f64;
        let mut generator = Self {
            processor_s: used.map(|used| used.as_secs_f64()),
            processor_share: used.map(|used| used.as_secs_f64() / available),
            open,
            bottleneck: None,
        };
        generator.bottleneck = generator.judged(threads);
        generator
    }

    fn judged(&self, threads: usize) -> Option<String> {
        if let Some(share) = self.processor_share.filter(|share| *share > BUSY) {
            return Some(format!(
                "its {threads} threads worked {:.0} % of the time; give it more with --threads, or \
                 another machine",
                share * 100.0
            ));
        }
        let late = self.open.as_ref()?.lateness.p99_ms;
        (late > LATE_MS).then(|| {
            format!(
                "users that were free began up to {late:.1} ms late (p99); the machine does too much \
                 besides"
            )
        })
    }

    /// What a reader has to know, a sentence each.
    pub fn notes(&self, users: usize) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(reason) = &self.bottleneck {
            notes.push(format!("The generator was the bottleneck: {reason}."));
        }
        let Some(open) = &self.open else {
            return notes;
        };
        if open.overdue as f64 > OVERDUE * open.due as f64 {
            notes.push(format!(
                "{} of {} iterations were due while all {users} users were busy. They waited, and \
                 the times from when they were due have it in them. If the server can do more at \
                 once, give --virtual-users.",
                open.overdue, open.due
            ));
        }
        if open.not_begun > 0 {
            notes.push(format!(
                "{} iterations that were due had not begun at the end of the run; they are in no \
                 figure.",
                open.not_begun
            ));
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generator_without_room_says_so() {
        let second = Duration::from_secs(1);
        let judged = |used: u64| {
            let used = Some(Duration::from_millis(used));
            Generator::new(2, second, used, None).bottleneck
        };
        assert_eq!(judged(1_000), None);
        let busy = judged(1_900).unwrap();
        assert!(
            busy.contains("2 threads") && busy.contains("95 %"),
            "{busy}"
        );
    }
}
