//! The times of one label: a histogram for percentiles, exact sums for the average.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// Longer times count as this long: a day, far beyond any time-out.
const MICROS_MAX: u64 = 24 * 3600 * 1_000_000;

/// Up to this time whoever waits is satisfied, in microseconds: JMeter's threshold.
const SATISFIED_US: u64 = 500_000;
/// Up to this one he bears it, in microseconds: JMeter's threshold.
const TOLERATED_US: u64 = 1_500_000;
/// The standard normal distribution has 95 % of itself within so many deviations.
const WITHIN_95: f64 = 1.96;

/// Times of one label.
#[derive(Debug, Clone)]
pub struct Series {
    histogram: Histogram<u64>,
    errors: u64,
    sum_us: u64,
    /// Samples without a failure that took no longer than satisfies.
    satisfied: u64,
    /// Such that took longer, and no longer than is borne.
    tolerated: u64,
}

/// A series in figures; times in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// All samples, failed ones included.
    pub samples: u64,
    /// Failed samples.
    pub errors: u64,
    /// The arithmetic mean.
    pub average_ms: f64,
    /// The standard deviation.
    pub deviation_ms: f64,
    /// The shortest.
    pub minimum_ms: f64,
    /// Half of the samples took no longer.
    pub p50_ms: f64,
    /// 75 % took no longer.
    pub p75_ms: f64,
    /// 90 % took no longer.
    pub p90_ms: f64,
    /// 95 % took no longer.
    pub p95_ms: f64,
    /// 99 % took no longer.
    pub p99_ms: f64,
    /// 99.9 % took no longer.
    pub p99_9_ms: f64,
    /// The longest.
    pub maximum_ms: f64,
    /// Where the 50th percentile of many such runs lies, with 95 % confidence: from, to.
    pub p50_interval_ms: [f64; 2],
    /// The same of the 95th percentile.
    pub p95_interval_ms: [f64; 2],
    /// The same of the 99th percentile.
    pub p99_interval_ms: [f64; 2],
    /// The share of satisfied samples and half of the tolerated ones: up to 500 ms, up to 1,500 ms,
    /// as in JMeter's reports. Failed samples satisfy nobody.
    pub apdex: f64,
}

impl Statistics {
    /// Where the average of many such runs lies, with 95 % confidence: from, to.
    #[must_use]
    pub fn average_interval_ms(&self) -> [f64; 2] {
        let spread = WITHIN_95 * self.deviation_ms / (self.samples.max(1) as f64).sqrt();
        [self.average_ms - spread, self.average_ms + spread]
    }
}

impl Default for Series {
    fn default() -> Self {
        // Three significant digits from a microsecond upwards; it grows with the longest time.
        let histogram = Histogram::new(3).expect("invariant: three digits are allowed");
        Self {
            histogram,
            errors: 0,
            sum_us: 0,
            satisfied: 0,
            tolerated: 0,
        }
    }
}

impl Series {
    /// Records one sample.
    pub fn record(&mut self, elapsed: Duration, success: bool) {
        let micros = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
        // The histogram grows to the new time; if it could not, the time counts as the longest so far.
        if self.histogram.record(micros.min(MICROS_MAX)).is_err() {
            self.histogram.saturating_record(micros);
        }
        self.sum_us = self.sum_us.saturating_add(micros);
        match success {
            false => self.errors += 1,
            true if micros <= SATISFIED_US => self.satisfied += 1,
            true if micros <= TOLERATED_US => self.tolerated += 1,
            true => {}
        }
    }

    /// Takes over the samples of another series.
    pub fn add(&mut self, other: &Series) {
        self.histogram
            .add(&other.histogram)
            .expect("invariant: both histograms resize and have equal precision");
        self.sum_us = self.sum_us.saturating_add(other.sum_us);
        self.errors += other.errors;
        self.satisfied += other.satisfied;
        self.tolerated += other.tolerated;
    }

    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.histogram.reset();
        self.errors = 0;
        self.sum_us = 0;
        self.satisfied = 0;
        self.tolerated = 0;
    }

    /// The number of samples.
    pub fn len(&self) -> u64 {
        self.histogram.len()
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.histogram.is_empty()
    }

    /// The number of failed samples.
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// The time that `percent` of the samples did not exceed, in milliseconds.
    pub fn percentile_ms(&self, percent: f64) -> f64 {
        millis(self.histogram.value_at_quantile(percent / 100.0))
    }

    /// Where a percentile lies with 95 % confidence, in milliseconds: how many of so many samples
    /// fall below it varies as a binomial distribution does, so its rank lies between two others,
    /// and it between their times. Whatever the times' own distribution is.
    pub fn interval_ms(&self, percent: f64) -> [f64; 2] {
        let (samples, quantile) = (self.len() as f64, percent / 100.0);
        if samples == 0.0 {
            return [0.0; 2];
        }
        let spread = WITHIN_95 * (samples * quantile * (1.0 - quantile)).sqrt();
        [-spread, spread].map(|by| {
            let rank = (samples * quantile + by).clamp(1.0, samples);
            millis(self.histogram.value_at_quantile(rank / samples))
        })
    }

    /// The figures.
    pub fn statistics(&self) -> Statistics {
        let samples = self.len();
        let average_us = if samples == 0 {
            0.0
        } else {
            self.sum_us as f64 / samples as f64
        };
        let minimum = if samples == 0 {
            0
        } else {
            self.histogram.min()
        };
        Statistics {
            samples,
            errors: self.errors,
            average_ms: average_us.round() / 1000.0,
            deviation_ms: (self.histogram.stdev()).round() / 1000.0,
            minimum_ms: millis(minimum),
            p50_ms: self.percentile_ms(50.0),
            p75_ms: self.percentile_ms(75.0),
            p90_ms: self.percentile_ms(90.0),
            p95_ms: self.percentile_ms(95.0),
            p99_ms: self.percentile_ms(99.0),
            p99_9_ms: self.percentile_ms(99.9),
            maximum_ms: millis(self.histogram.max()),
            p50_interval_ms: self.interval_ms(50.0),
            p95_interval_ms: self.interval_ms(95.0),
            p99_interval_ms: self.interval_ms(99.0),
            apdex: (self.satisfied as f64 + self.tolerated as f64 / 2.0) / samples.max(1) as f64,
        }
    }
}

fn millis(micros: u64) -> f64 {
    micros as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(micros: impl IntoIterator<Item = u64>) -> Series {
        let mut series = Series::default();
        for micro in micros {
            series.record(Duration::from_micros(micro), micro % 10 != 0);
        }
        series
    }

    #[test]
    fn percentiles_of_one_to_a_thousand() {
        let figures = series(1..=1000).statistics();
        assert_eq!((figures.samples, figures.errors), (1000, 100));
        assert_eq!(figures.average_ms, 0.501); // 500.5 µs
        let percentiles = [
            figures.p50_ms,
            figures.p75_ms,
            figures.p90_ms,
            figures.p95_ms,
            figures.p99_ms,
        ];
        assert_eq!(percentiles, [0.5, 0.75, 0.9, 0.95, 0.99]);
        assert_eq!((figures.minimum_ms, figures.maximum_ms), (0.001, 1.0));
    }

    #[test]
    fn long_times_keep_three_digits() {
        let figures = series([60_000_000]).statistics();
        assert!((figures.p99_ms - 60_000.0).abs() < 60.0, "{figures:?}");
        assert_eq!(figures.average_ms, 60_000.0);
    }

    #[test]
    fn intervals_are_the_binomial_distributions() {
        // 1 ms to 10 s; the median's rank varies by 98, the 99th percentile's by 19.5.
        let series = series((1..=10_000).map(|ms| ms * 1_000));
        let near = |interval: [f64; 2], from: f64, to: f64| {
            let close = |is: f64, should: f64| (is - should).abs() <= 0.001 * should + 1.0;
            assert!(
                close(interval[0], from) && close(interval[1], to),
                "{interval:?}"
            );
        };
        near(series.interval_ms(50.0), 4_902.0, 5_098.0);
        near(series.interval_ms(99.0), 9_880.5, 9_919.5);
        // With few samples all of them are the interval.
        let mut few = Series::default();
        for ms in [1, 2, 3] {
            few.record(Duration::from_millis(ms), true);
        }
        near(few.interval_ms(95.0), 2.0, 3.0);
        assert_eq!(Series::default().interval_ms(95.0), [0.0, 0.0]);
    }

    #[test]
    fn satisfaction_is_that_of_jmeters_reports() {
        let mut series = Series::default();
        for (ms, success) in [
            (500, true),
            (501, true),
            (1_500, true),
            (1_501, true),
            (1, false),
        ] {
            series.record(Duration::from_millis(ms), success);
        }
        let figures = series.statistics();
        assert_eq!(figures.apdex, 2.0 / 5.0);
        assert_eq!((figures.samples, figures.errors), (5, 1));
        assert!((figures.deviation_ms - 599.9).abs() < 1.0, "{figures:?}");
        assert_eq!(Series::default().statistics().apdex, 0.0);
    }

    #[test]
    fn merged_series_equal_one_series() {
        let mut merged = series(1..=500);
        merged.add(&series(501..=1000));
        assert_eq!(merged.statistics(), series(1..=1000).statistics());
        merged.clear();
        assert_eq!(merged.statistics(), Series::default().statistics());
        assert!(merged.is_empty());
    }
}
