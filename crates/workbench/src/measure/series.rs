//! The times of one label: a histogram for percentiles, exact sums for the average.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;

/// Longer times count as this long: a day, far beyond any time-out.
const MICROS_MAX: u64 = 24 * 3600 * 1_000_000;

/// Times of one label.
#[derive(Debug, Clone)]
pub struct Series {
    histogram: Histogram<u64>,
    errors: u64,
    sum_us: u64,
}

/// A series in figures; times in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Statistics {
    /// All samples, failed ones included.
    pub samples: u64,
    /// Failed samples.
    pub errors: u64,
    /// The arithmetic mean.
    pub average_ms: f64,
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
    /// The longest.
    pub maximum_ms: f64,
}

impl Default for Series {
    fn default() -> Self {
        // Three significant digits from a microsecond upwards; it grows with the longest time.
        let histogram = Histogram::new(3).expect("invariant: three digits are allowed");
        Self {
            histogram,
            errors: 0,
            sum_us: 0,
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
        self.errors += u64::from(!success);
    }

    /// Takes over the samples of another series.
    pub fn add(&mut self, other: &Series) {
        self.histogram
            .add(&other.histogram)
            .expect("invariant: both histograms resize and have equal precision");
        self.sum_us = self.sum_us.saturating_add(other.sum_us);
        self.errors += other.errors;
    }

    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.histogram.reset();
        self.errors = 0;
        self.sum_us = 0;
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
            minimum_ms: millis(minimum),
            p50_ms: self.percentile_ms(50.0),
            p75_ms: self.percentile_ms(75.0),
            p90_ms: self.percentile_ms(90.0),
            p95_ms: self.percentile_ms(95.0),
            p99_ms: self.percentile_ms(99.0),
            maximum_ms: millis(self.histogram.max()),
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
    fn merged_series_equal_one_series() {
        let mut merged = series(1..=500);
        merged.add(&series(501..=1000));
        assert_eq!(merged.statistics(), series(1..=1000).statistics());
        merged.clear();
        assert_eq!(merged.statistics(), Series::default().statistics());
        assert!(merged.is_empty());
    }
}
