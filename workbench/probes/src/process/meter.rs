//! Converts growing processor times to shares of a processor. No I/O.

use std::collections::HashMap;
use std::time::Instant;

use super::stat::{Stat, TICKS_PER_SECOND};

/// The processor time of something over an interval.
#[derive(Debug, Default)]
pub(super) struct Meter {
    before: Option<Before>,
}

#[derive(Debug)]
struct Before {
    at: Instant,
    /// The greatest sum so far.
    sum_s: f64,
    /// Each process's own time.
    own: HashMap<(i32, u64), u64>,
}

impl Meter {
    /// Resets the meter, because the process is gone.
    pub(super) fn forget(&mut self) {
        self.before = None;
    }

    /// Processes without their children: the growth of each. A process that is new since the last
    /// sample has worked only since then.
    pub(super) fn processes<'a>(
        &mut self,
        at: Instant,
        processes: impl IntoIterator<Item = &'a Stat>,
    ) -> Option<f64> {
        let now: HashMap<(i32, u64), u64> = processes
            .into_iter()
            .map(|stat| ((stat.pid, stat.started), stat.ticks))
            .collect();
        let share = self.before.as_ref().and_then(|before| {
            let grown = now.iter().map(|(process, ticks)| {
                let before = before.own.get(process).copied().unwrap_or(0);
                ticks.saturating_sub(before)
            });
            let ticks: u64 = grown.sum();
            per_cent(before.at, at, ticks as f64 / TICKS_PER_SECOND)
        });
        self.before = Some(Before {
            at,
            sum_s: 0.0,
            own: now,
        });
        share
    }

    /// A process with all its descendants. The time of a child that ends is added to its parent's,
    /// so the sum only grows. A child that ends while the processes are being read is missing from
    /// the sum until the next sample: the greatest sum is kept, and nothing counts twice.
    pub(super) fn family(&mut self, at: Instant, members: &[&Stat]) -> Option<f64> {
        let ticks: u64 = members.iter().map(|stat| stat.ticks + stat.reaped).sum();
        self.sum(at, ticks as f64 / TICKS_PER_SECOND)
    }

    /// A sum that only grows.
    pub(super) fn sum(&mut self, at: Instant, sum_s: f64) -> Option<f64> {
        let known = self.before.as_ref().map(|before| (before.at, before.sum_s));
        let greatest = known.map_or(sum_s, |(_, before)| before.max(sum_s));
        self.before = Some(Before {
            at,
            sum_s: greatest,
            own: HashMap::new(),
        });
        let (before_at, before_s) = known?;
        per_cent(before_at, at, greatest - before_s)
    }
}

fn per_cent(from: Instant, to: Instant, seconds: f64) -> Option<f64> {
    let elapsed = to.checked_duration_since(from)?.as_secs_f64();
    (elapsed > 0.001).then(|| 100.0 * seconds / elapsed)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn process(pid: i32, ticks: u64, reaped: u64) -> Stat {
        Stat {
            pid,
            name: "x".to_owned(),
            parent: 1,
            ended: false,
            ticks,
            reaped,
            started: 7,
        }
    }

    #[test]
    fn processes_that_come_and_go_count_by_what_they_did() {
        let mut meter = Meter::default();
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let first = [process(1, 500, 0), process(2, 900, 0)];
        assert_eq!(meter.processes(at(0), &first), None);
        // The second process has ended, a third has started.
        let second = [process(1, 550, 9_999), process(3, 25, 0)];
        assert_eq!(meter.processes(at(1), &second), Some(75.0));
        let mut again = process(1, 3, 0);
        again.started = 8;
        assert_eq!(
            meter.processes(at(2), [&again]),
            Some(3.0),
            "another process of that number"
        );
    }

    #[test]
    fn a_family_keeps_the_time_of_children_that_ended() {
        let mut meter = Meter::default();
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let (parent, child) = (process(1, 100, 0), process(2, 50, 0));
        assert_eq!(meter.family(at(0), &[&parent, &child]), None);
        // The child did 30 more and ended, but its parent has not reaped it yet.
        assert_eq!(meter.family(at(1), &[&parent]), Some(0.0));
        let parent = process(1, 100, 80);
        let share = meter.family(at(2), &[&parent]).unwrap();
        assert!((share - 30.0).abs() < 1e-9, "{share}");
        meter.forget();
        assert_eq!(meter.family(at(3), &[&parent]), None);
    }
}
