//! The open model: iterations are due at a fixed rate, whether the server keeps up or not. Pure
//! arithmetic that does not read a clock.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The highest rate that is accepted, in iterations a second.
const RATE_MAX: f64 = 1e6;

/// Iterations a second, growing or falling linearly from the beginning to the end of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// At the beginning.
    pub from: f64,
    /// At the end.
    pub to: f64,
}

impl Rate {
    /// The rate multiplied by a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            from: self.from * factor,
            to: self.to * factor,
        }
    }
}

impl FromStr for Rate {
    type Err = String;

    /// `100` or `100..500`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let rate = |part: &str| {
            let rate = part.trim().parse::<f64>().ok();
            rate.filter(|rate| (0.0..=RATE_MAX).contains(rate))
        };
        let wrong = || {
            format!(
                "`{text}` is not a rate; write iterations a second, up to {RATE_MAX}: 100, or \
                 100..500 for a rate that grows"
            )
        };
        let (from, to) = rate(from).zip(rate(to)).ok_or_else(wrong)?;
        match from + to > 0.0 {
            true => Ok(Self { from, to }),
            false => Err(wrong()),
        }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from == self.to {
            true => write!(out, "{}/s", self.from),
            false => write!(out, "{}..{}/s", self.from, self.to),
        }
    }
}

/// The iterations of a run in the order in which they are due. A free user takes the next one.
#[derive(Debug)]
pub(super) struct Arrivals {
    stages: Vec<Part>,
    taken: AtomicU64,
}

/// A rate over a time.
#[derive(Debug)]
struct Part {
    rate: Rate,
    begin: f64,
    length: f64,
    /// How many iterations are due before it.
    before: u64,
}

impl Arrivals {
    /// The iterations of consecutive stages. Those due before `offset` were taken by an earlier
    /// part of the run.
    pub(super) fn new(stages: &[(Rate, Duration)], offset: Duration) -> Self {
        let (mut begin, mut before) = (0.0, 0);
        let parts = stages.iter().map(|(rate, length)| {
            let part = Part {
                rate: *rate,
                begin,
                length: length.as_secs_f64(),
                before,
            };
            begin += part.length;
            before += part.due_within(part.length);
            part
        });
        let arrivals = Self {
            stages: parts.collect(),
            taken: AtomicU64::new(0),
        };
        let taken = match offset.is_zero() {
            true => 0,
            false => arrivals.due_within(offset),
        };
        arrivals.taken.store(taken, Ordering::Relaxed);
        arrivals
    }

    /// When the next iteration is due, from the beginning; `None` when there is no further one.
    pub(super) fn take(&self) -> Option<Duration> {
        // One counter for the users of all threads: whoever is free takes the next one, so that a
        // slow user delays none but its own.
        let number = self.taken.fetch_add(1, Ordering::Relaxed);
        let part = self
            .stages
            .iter()
            .rev()
            .find(|part| number >= part.before)?;
        Duration::try_from_secs_f64(part.begin + part.due(number - part.before)?).ok()
    }

    /// The number of iterations due within a time from the beginning.
    pub(super) fn due_within(&self, time: Duration) -> u64 {
        let time = time.as_secs_f64();
        let begun = self.stages.iter().filter(|part| time > part.begin);
        begun.map(|part| part.due_within(time - part.begin)).sum()
    }

    /// Iterations a second at a time from the beginning.
    pub(super) fn rate_at(&self, time: Duration) -> f64 {
        let time = time.as_secs_f64();
        let begun = self.stages.iter().rev().find(|part| time >= part.begin);
        begun.map_or(0.0, |part| {
            part.rate.from + part.slope() * (time - part.begin).min(part.length)
        })
    }

    /// The number of iterations taken.
    pub(super) fn taken(&self) -> u64 {
        let parts = self.stages.iter();
        let all = parts.map(|part| part.due_within(part.length)).sum();
        self.taken.load(Ordering::Relaxed).min(all)
    }
}

impl Part {
    fn due_within(&self, time: f64) -> u64 {
        let time = time.min(self.length);
        // One is due at the very beginning, if the rate is above zero.
        let due = self.rate.from * time + self.slope() * time * time / 2.0;
        (due - 1e-9).ceil().max(0.0) as u64
    }

    /// After how many seconds so many iterations are due: the root of `from t + slope t²/2 =
    /// number`.
    fn due(&self, number: u64) -> Option<f64> {
        if number >= self.due_within(self.length) {
            return None;
        }
        let (from, number) = (self.rate.from, number as f64);
        let root = (from * from + 2.0 * self.slope() * number).max(0.0).sqrt();
        // This form of the solution does not divide by a slope of zero.
        Some(match number == 0.0 {
            true => 0.0,
            false => 2.0 * number / (from + root),
        })
    }

    fn slope(&self) -> f64 {
        (self.rate.to - self.rate.from) / self.length.max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrivals(stages: &[(&str, u64)], offset: u64) -> Arrivals {
        let stages = stages.iter().map(|(rate, seconds)| {
            let rate: Rate = rate.parse().unwrap();
            (rate, Duration::from_secs(*seconds))
        });
        Arrivals::new(&stages.collect::<Vec<_>>(), Duration::from_secs(offset))
    }

    #[test]
    fn stages_follow_each_other_and_a_resumed_run_takes_the_rest() {
        let stages = [("2", 2), ("0..4", 2), ("1", 3)];
        let all = arrivals(&stages, 0);
        let due: Vec<_> = std::iter::from_fn(|| all.take()).collect();
        assert_eq!(due.len(), 4 + 4 + 3);
        assert!(due.is_sorted() && due[8].as_secs_f64() == 4.0, "{due:?}");
        assert_eq!(all.rate_at(Duration::from_secs(3)), 2.0);
        assert_eq!(all.due_within(Duration::from_secs(4)), 8);
        assert_eq!(all.taken(), 11);
        let rest = arrivals(&stages, 4);
        assert_eq!(
            std::iter::from_fn(|| rest.take()).collect::<Vec<_>>(),
            due[8..]
        );
    }

    fn due(rate: &str, seconds: u64) -> Vec<f64> {
        let arrivals = arrivals(&[(rate, seconds)], 0);
        std::iter::from_fn(|| arrivals.take())
            .map(|due| due.as_secs_f64())
            .collect()
    }

    #[test]
    fn a_steady_rate_is_evenly_spaced() {
        assert_eq!(due("4", 1), [0.0, 0.25, 0.5, 0.75]);
        assert_eq!(due("0.5", 5), [0.0, 2.0, 4.0]);
    }

    #[test]
    fn a_growing_rate_gives_what_lies_under_its_line() {
        // From 0 to 10 a second in 10 s: 50 in all, half of them in the last 2.93 s.
        let grown = due("0..10", 10);
        assert_eq!(grown.len(), 50);
        // Slightly earlier, since one is due at that very moment.
        let half = 10.0 * 0.5_f64.sqrt() - 1e-9;
        let late = grown.iter().filter(|due| **due >= half);
        assert_eq!(late.count(), 25);
        let fallen = due("10..0", 10);
        assert_eq!(fallen.len(), 50);
        assert!(fallen.is_sorted() && grown.is_sorted());
        let early = fallen.iter().filter(|due| **due < 10.0 - half - 2e-9);
        assert_eq!(early.count(), 25);
    }

    #[test]
    fn what_is_due_within_a_time_is_what_is_taken_by_then() {
        let arrivals = arrivals(&[("20..80", 4)], 0);
        let taken: Vec<_> = std::iter::from_fn(|| arrivals.take()).collect();
        for tenths in 0..=40 {
            let time = Duration::from_millis(tenths * 100);
            let by_then = taken.iter().filter(|due| **due < time).count() as u64;
            assert_eq!(arrivals.due_within(time), by_then, "{time:?}");
        }
        assert_eq!(arrivals.taken(), 200);
        assert_eq!(arrivals.rate_at(Duration::from_secs(1)), 35.0);
        assert_eq!(arrivals.rate_at(Duration::from_secs(9)), 80.0);
    }

    #[test]
    fn rates_are_read_and_printed() {
        for text in ["100", "0.5", "0..100", "100..5"] {
            let rate: Rate = text.parse().unwrap();
            assert_eq!(rate.to_string(), format!("{text}/s"));
        }
        for text in ["", "0", "0..0", "-1", "a..b", "1..", "NaN", "inf", "1e9"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }
}
