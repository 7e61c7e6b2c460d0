//! The open model: iterations are due at a rate of their own, whether the server keeps up or not.
//! What is due when is arithmetic; nothing here looks at a clock.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The highest rate that is accepted, in iterations a second.
const RATE_MAX: f64 = 1e6;

/// Iterations a second, growing or falling evenly from the begin to the end of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// At the begin.
    pub from: f64,
    /// At the end.
    pub to: f64,
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
                "`{text}` is no rate; write iterations a second, up to {RATE_MAX}: 100, or \
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

/// The iterations of a run in the order in which they are due. Whoever is free takes the next.
#[derive(Debug)]
pub(super) struct Arrivals {
    rate: Rate,
    length: Duration,
    taken: AtomicU64,
}

impl Arrivals {
    pub(super) fn new(rate: Rate, length: Duration) -> Self {
        Self {
            rate,
            length,
            taken: AtomicU64::new(0),
        }
    }

    /// When the next iteration is due, from the begin; none when no further one is.
    pub(super) fn take(&self) -> Option<Duration> {
        let number = self.taken.fetch_add(1, Ordering::Relaxed);
        self.due(number)
    }

    /// All that are due within a time from the begin.
    pub(super) fn due_within(&self, time: Duration) -> u64 {
        let time = time.min(self.length).as_secs_f64();
        // One is due at the very begin, where the rate allows any.
        let due = self.rate.from * time + self.slope() * time * time / 2.0;
        (due - 1e-9).ceil().max(0.0) as u64
    }

    /// Iterations a second at a time from the begin.
    pub(super) fn rate_at(&self, time: Duration) -> f64 {
        self.rate.from + self.slope() * time.min(self.length).as_secs_f64()
    }

    /// Those that somebody took.
    pub(super) fn taken(&self) -> u64 {
        let all = self.due_within(self.length);
        self.taken.load(Ordering::Relaxed).min(all)
    }

    /// After so many seconds as many have become due as the rate says: the root of
    /// `from t + slope t²/2 = number`.
    fn due(&self, number: u64) -> Option<Duration> {
        if number >= self.due_within(self.length) {
            return None;
        }
        let (from, number) = (self.rate.from, number as f64);
        let root = (from * from + 2.0 * self.slope() * number).max(0.0).sqrt();
        // This form of the solution does not divide by a slope of nothing.
        let seconds = if number == 0.0 {
            0.0
        } else {
            2.0 * number / (from + root)
        };
        Duration::try_from_secs_f64(seconds).ok()
    }

    fn slope(&self) -> f64 {
        (self.rate.to - self.rate.from) / self.length.as_secs_f64().max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(rate: &str, seconds: u64) -> Vec<f64> {
        let arrivals = Arrivals::new(rate.parse().unwrap(), Duration::from_secs(seconds));
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
        // A hair earlier, since one is due at that very moment.
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
        let arrivals = Arrivals::new("20..80".parse().unwrap(), Duration::from_secs(4));
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
