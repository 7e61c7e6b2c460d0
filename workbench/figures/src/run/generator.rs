//! Whether the generator itself kept up: its processor time and its lateness. A run whose generator
//! was the bottleneck proves little about the server.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Statistics;

/// Above this share of its threads' time the generator cannot keep an even load.
const BUSY: f64 = 0.9;
/// When free users begin later than this, in ms, at the 99th percentile, the generator delayed
/// them.
const LATE_MS: f64 = 5.0;
/// When a larger share of iterations found no free user, a note says so.
const OVERDUE: f64 = 0.01;

/// The generator's own influence on a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Generator {
    /// Processor time of this process, in seconds; none where the system does not report it.
    pub processor_s: Option<f64>,
    /// The same as a share of its threads' time.
    pub processor_share: Option<f64>,
    /// How the open model's rate was kept.
    pub open: Option<OpenModel>,
    /// Why the figures reflect the generator more than the server.
    pub bottleneck: Option<String>,
}

/// The iterations that were due, and how many were begun.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct OpenModel {
    pub due: u64,
    /// Those of them that were not begun before the run was over.
    pub not_begun: u64,
    /// Those that were due while every user was busy.
    pub overdue: u64,
    /// How late free users began.
    pub lateness: Statistics,
}

impl Generator {
    /// From the processor time of so many threads over a time, and how the open model's rate was
    /// kept.
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

    /// Remarks for the reader, a sentence each.
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
