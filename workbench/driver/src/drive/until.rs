//! Ends a run when a limit is exceeded: the condition, and its check over the last seconds. Does
//! not read a clock.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

use octavo_figures::Series;
use octavo_figures::run::Verdict;

/// Seconds that are checked together.
const WINDOW: usize = 5;
/// Windows with fewer samples are ignored.
const SAMPLES_LEAST: u64 = 20;
/// Consecutive windows that have to exceed the limit: more than the windows that contain one single
/// slow second.
const IN_A_ROW: usize = WINDOW + 1;

/// `p95 > 50ms`, `average > 20ms`, `errors > 1%`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Until {
    metric: Metric,
    /// Milliseconds, or per cent.
    limit: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Metric {
    Percentile(f64),
    Average,
    Errors,
}

impl FromStr for Until {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is not a condition; write 'p95 > 50ms', 'average > 1s' or 'errors > 1%'"
            )
        };
        let (metric, limit) = text.split_once('>').ok_or_else(wrong)?;
        let metric = match metric.trim() {
            "average" => Metric::Average,
            "errors" => Metric::Errors,
            other => {
                let percent = other.strip_prefix('p').and_then(|text| text.parse().ok());
                let percent = percent.filter(|percent| (1.0..100.0).contains(percent));
                Metric::Percentile(percent.ok_or_else(wrong)?)
            }
        };
        let limit = limit.trim();
        let units: &[(&str, f64)] = match metric {
            Metric::Errors => &[("%", 1.0)],
            _ => &[("ms", 1.0), ("s", 1_000.0)],
        };
        let limit = units.iter().find_map(|(unit, factor)| {
            let number: f64 = limit.strip_suffix(unit)?.trim().parse().ok()?;
            (number.is_finite() && number >= 0.0).then_some(number * factor)
        });
        limit.map(|limit| Self { metric, limit }).ok_or_else(wrong)
    }
}

impl fmt::Display for Until {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} > {}", self.metric, self.metric.amount(self.limit))
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Metric::Percentile(percent) => write!(out, "p{percent}"),
            Metric::Average => out.write_str("average"),
            Metric::Errors => out.write_str("errors"),
        }
    }
}

impl Metric {
    fn of(self, series: &Series) -> f64 {
        match self {
            Metric::Percentile(percent) => series.percentile_ms(percent),
            Metric::Average => series.statistics().average_ms,
            Metric::Errors => 100.0 * series.errors() as f64 / series.len().max(1) as f64,
        }
    }

    fn amount(self, value: f64) -> String {
        match self {
            Metric::Errors => format!("{value:.1} %"),
            _ => format!("{value:.1} ms"),
        }
    }
}

/// Checks the condition every second.
#[derive(Debug)]
pub(super) struct Watcher {
    until: Until,
    window: VecDeque<Series>,
    passing: usize,
    verdict: Verdict,
}

impl Watcher {
    pub(super) fn new(until: Until) -> Self {
        Self {
            until,
            window: VecDeque::with_capacity(WINDOW + 1),
            passing: 0,
            verdict: Verdict {
                until: until.to_string(),
                held_per_s: None,
                passed_per_s: None,
                measured: None,
            },
        }
    }

    /// Adds the transactions of one more second, which began at a rate; true when the limit is
    /// exceeded for good.
    pub(super) fn second(&mut self, transactions: Series, rate: Option<f64>) -> bool {
        self.window.push_back(transactions);
        if self.window.len() > WINDOW {
            self.window.pop_front();
        }
        let mut all = Series::default();
        for second in &self.window {
            all.add(second);
        }
        if self.window.len() < WINDOW {
            return false;
        }
        // A server without any response exceeds every limit.
        let silent = all.is_empty() && rate.is_some_and(|rate| rate > 0.0);
        if !silent && all.len() < SAMPLES_LEAST {
            return false;
        }
        let measured = self.until.metric.of(&all);
        if !silent && measured <= self.until.limit {
            self.passing = 0;
            self.verdict.held_per_s = rate;
            return false;
        }
        if self.passing == 0 {
            self.verdict.passed_per_s = rate;
        }
        self.passing += 1;
        if self.passing < IN_A_ROW {
            return false;
        }
        self.verdict.measured = Some(match silent {
            true => format!("no transaction ended in {WINDOW} s"),
            false => self.until.metric.amount(measured),
        });
        true
    }

    /// The rate that met the limit, and the one that exceeded it.
    pub(super) fn verdict(&self) -> Verdict {
        let mut verdict = self.verdict.clone();
        if self.passing < IN_A_ROW {
            verdict.passed_per_s = None;
        }
        verdict
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn second(ms: u64, errors: usize) -> Series {
        let mut series = Series::default();
        for number in 0..100 {
            series.record(Duration::from_millis(ms), number >= errors);
        }
        series
    }

    #[test]
    fn conditions_are_read_and_printed() {
        for (text, printed) in [
            ("p95 > 50ms", "p95 > 50.0 ms"),
            ("p99.9>1.5s", "p99.9 > 1500.0 ms"),
            ("average > 20 ms", "average > 20.0 ms"),
            ("errors > 1%", "errors > 1.0 %"),
        ] {
            assert_eq!(text.parse::<Until>().unwrap().to_string(), printed);
        }
        for text in [
            "",
            "p95",
            "p95 > 50",
            "p0 > 1ms",
            "p100 > 1ms",
            "errors > 5ms",
            "x > 1ms",
        ] {
            assert!(text.parse::<Until>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_highest_rate_that_met_the_limit_is_reported() {
        let mut watcher = Watcher::new("p95 > 50ms".parse().unwrap());
        // Good up to 19 a second, bad from 20 on.
        let slow = |at: u64| at >= 20;
        let ended = (0..60).find(|at| {
            let ms = if slow(*at) { 80 } else { 10 };
            watcher.second(second(ms, 0), Some(*at as f64))
        });
        // The first slow second is a fifth of a window, which raises its p95 at once.
        assert_eq!(ended, Some(25));
        let verdict = watcher.verdict();
        assert_eq!(verdict.passed_per_s, Some(20.0));
        assert_eq!(verdict.held_per_s, Some(19.0));
        assert!(
            verdict.sentence().contains("is 19 iterations/s"),
            "{}",
            verdict.sentence()
        );
    }

    #[test]
    fn one_slow_second_is_no_verdict_and_few_samples_none() {
        let mut watcher = Watcher::new("average > 50ms".parse().unwrap());
        for at in 0..30 {
            let ms = if at == 12 { 200 } else { 20 };
            assert!(!watcher.second(second(ms, 0), Some(f64::from(at))), "{at}");
        }
        assert!(
            watcher
                .verdict()
                .sentence()
                .contains("did not come true up to 29")
        );
        let mut watcher = Watcher::new("errors > 1%".parse().unwrap());
        let mut one = Series::default();
        one.record(Duration::from_millis(1), false);
        assert!((0..30).all(|_| !watcher.second(one.clone(), Some(0.2))));
        assert!(watcher.verdict().sentence().ends_with("did not come true."));
        let mut watcher = Watcher::new("p95 > 1s".parse().unwrap());
        assert!((0..10).any(|_| watcher.second(Series::default(), Some(5.0))));
        assert!(
            watcher
                .verdict()
                .sentence()
                .contains("no transaction ended in 5 s")
        );
        let mut watcher = Watcher::new("errors > 1%".parse().unwrap());
        assert!((0..10).any(|_| watcher.second(second(1, 2), None)));
        assert_eq!(
            watcher.verdict().sentence(),
            "errors > 1.0 % came true (2.0 %)."
        );
    }
}
