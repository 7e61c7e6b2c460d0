//! The load over all stages of a run. Arithmetic on times from the run's beginning; only `bounds`
//! and `at` know when that was.

use std::time::{Duration, Instant};

use super::arrivals::Rate;
use super::stage::{Load, Stage};
use crate::measure::Bounds;

/// Timers wake at the next whole millisecond. In the open model it is better to begin that much
/// early than late: the lateness would be attributed to the server.
pub(super) const EARLY: Duration = Duration::from_millis(1);

/// The load over time.
#[derive(Debug, Clone)]
pub(super) struct Schedule {
    started: Instant,
    /// How much of the run an earlier part has done.
    offset: Duration,
    ramp_up: Duration,
    warm_up: Duration,
    pub(super) stages: Vec<Stage>,
}

impl Schedule {
    pub(super) fn new(
        stages: Vec<Stage>,
        ramp_up: Duration,
        warm_up: Duration,
        offset: Duration,
    ) -> Self {
        Self {
            started: Instant::now(),
            offset,
            ramp_up,
            warm_up,
            stages,
        }
    }

    /// How long the run has been going, an earlier part included.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed() + self.offset
    }

    /// The instant of a time from the beginning; what an earlier part has done is now.
    pub(super) fn at(&self, time: Duration) -> Instant {
        self.started + time.saturating_sub(self.offset)
    }

    /// From the first user's start to the end of the last stage.
    pub(super) fn length(&self) -> Duration {
        self.ramp_up
            + self
                .stages
                .iter()
                .map(|stage| stage.length)
                .sum::<Duration>()
    }

    pub(super) fn is_open(&self) -> bool {
        self.stages
            .iter()
            .any(|stage| matches!(stage.load, Load::Rate(_)))
    }

    /// The stage at a time, and how far into it that is. The ramp-up belongs to the first.
    pub(super) fn stage_at(&self, time: Duration) -> (usize, Duration) {
        let mut rest = time.saturating_sub(self.ramp_up);
        for (number, stage) in self.stages.iter().enumerate() {
            if rest < stage.length {
                return (number, rest);
            }
            rest -= stage.length;
        }
        let last = self.stages.len().saturating_sub(1);
        (
            last,
            self.stages
                .get(last)
                .map_or(Duration::ZERO, |stage| stage.length),
        )
    }

    /// When each stage begins, from the beginning of the run.
    pub(super) fn begins(&self) -> impl Iterator<Item = Duration> {
        self.stages.iter().scan(self.ramp_up, |begin, stage| {
            let this = *begin;
            *begin += stage.length;
            Some(this)
        })
    }

    /// The number of virtual users at a time. In the open model all of them, because any free one
    /// takes the next iteration.
    pub(super) fn users_at(&self, time: Duration, all: usize) -> usize {
        let (number, into) = self.stage_at(time);
        let Some(stage) = self.stages.get(number) else {
            return 0;
        };
        let level = match stage.load {
            Load::Rate(_) => all,
            Load::Users { from, to } => {
                let share = into.as_secs_f64() / stage.length.as_secs_f64().max(1e-9);
                (from as f64 + (to as f64 - from as f64) * share).round() as usize
            }
        };
        if time >= self.ramp_up {
            return level;
        }
        // Evenly spread over the ramp-up, the first at once, as in JMeter.
        let share = time.as_secs_f64() / self.ramp_up.as_secs_f64();
        (1 + (level as f64 * share) as usize).min(level)
    }

    /// Whether users pause at a time.
    pub(super) fn pauses_at(&self, time: Duration) -> bool {
        let (number, _) = self.stage_at(time);
        self.stages.get(number).is_none_or(|stage| stage.pauses)
    }

    /// The rates of the open model with their lengths, from the end of the ramp-up on.
    pub(super) fn rates(&self) -> Vec<(Rate, Duration)> {
        let rate = |stage: &Stage| match stage.load {
            Load::Rate(rate) => Some((rate, stage.length)),
            Load::Users { .. } => None,
        };
        self.stages.iter().filter_map(rate).collect()
    }

    /// When the figures of each stage begin and end. A single stage of a closed loop counts from
    /// the very beginning, as in JMeter, unless there is a warm-up.
    pub(super) fn bounds(&self) -> Vec<Bounds> {
        let whole = self.stages.len() == 1 && self.warm_up.is_zero() && !self.is_open();
        let early = match self.is_open() {
            true => EARLY,
            false => Duration::ZERO,
        };
        let begins = self.begins().zip(&self.stages);
        begins
            .map(|(begin, stage)| Bounds {
                from: match whole {
                    true => self.started,
                    false => self.at((begin + self.warm_up).saturating_sub(early)),
                },
                to: self.at((begin + stage.length).saturating_sub(early)),
                counted: stage.counted,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(stages: &[&str], ramp_up: u64, warm_up: u64, offset: u64) -> Schedule {
        let stages = stages.iter().map(|text| text.parse().unwrap()).collect();
        let second = Duration::from_secs;
        Schedule::new(stages, second(ramp_up), second(warm_up), second(offset))
    }

    fn users(schedule: &Schedule, tenths: u64) -> usize {
        schedule.users_at(Duration::from_millis(100 * tenths), 100)
    }

    #[test]
    fn users_ramp_up_and_change_evenly() {
        let schedule = schedule(
            &["10 users for 10s", "10..20 users for 10s", "4 users for 5s"],
            5,
            0,
            0,
        );
        assert_eq!(schedule.length(), Duration::from_secs(30));
        let at = [0, 5, 25, 49, 50, 149, 150, 200, 249, 251, 299, 999];
        assert_eq!(
            at.map(|at| users(&schedule, at)),
            [1, 2, 6, 10, 10, 10, 10, 15, 20, 4, 4, 4]
        );
        let begins: Vec<_> = schedule.begins().map(|begin| begin.as_secs()).collect();
        assert_eq!(begins, [5, 15, 25]);
    }

    #[test]
    fn a_ramp_up_begins_with_one_and_has_all_at_its_end() {
        let schedule = schedule(&["4 users for 10s"], 8, 0, 0);
        assert_eq!(
            [0, 19, 20, 40, 60, 80].map(|at| users(&schedule, at)),
            [1, 1, 2, 3, 4, 4]
        );
    }

    #[test]
    fn the_figures_of_a_stage_begin_after_its_warm_up() {
        let schedule = schedule(
            &["5 users for 10s", "growth: 50 users for 5s, not counted"],
            5,
            2,
            0,
        );
        let bounds = schedule.bounds();
        let from = |at: usize| bounds[at].from - schedule.started;
        assert_eq!([from(0), from(1)], [7, 17].map(Duration::from_secs));
        assert_eq!(
            bounds.iter().map(|one| one.counted).collect::<Vec<_>>(),
            [true, false]
        );
        let whole = super::tests::schedule(&["5 users for 10s"], 5, 0, 0);
        assert_eq!(whole.bounds()[0].from, whole.started);
    }

    #[test]
    fn a_resumed_run_goes_on_where_it_stopped() {
        let schedule = schedule(&["5 users for 10s", "9 users for 10s"], 2, 0, 15);
        assert!(schedule.elapsed() >= Duration::from_secs(15));
        assert_eq!(schedule.at(Duration::from_secs(14)), schedule.started);
        assert_eq!(
            schedule.at(schedule.length()) - schedule.started,
            Duration::from_secs(7)
        );
        assert_eq!(users(&schedule, 150), 9);
    }

    #[test]
    fn pauses_are_the_stages_own() {
        let schedule = schedule(
            &["5 users for 10s", "9 users for 10s, without pauses"],
            0,
            0,
            0,
        );
        assert!(schedule.pauses_at(Duration::from_secs(9)));
        assert!(!schedule.pauses_at(Duration::from_secs(10)));
    }
}
