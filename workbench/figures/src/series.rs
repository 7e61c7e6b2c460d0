//! The times of one label: a histogram for percentiles, exact sums for the average.

use std::fmt::Write;
use std::time::Duration;

use hdrhistogram::Histogram;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::encoded;
use crate::statistics::{Statistics, WITHIN_95};

/// Longer times count as this long: a day, far beyond any time-out.
const MICROS_MAX: u64 = 24 * 3600 * 1_000_000;

/// JMeter's threshold of satisfaction (Apdex), in microseconds.
const SATISFIED_US: u64 = 500_000;
/// JMeter's threshold of toleration (Apdex), in microseconds.
const TOLERATED_US: u64 = 1_500_000;

/// The times of one label.
#[derive(Debug, Clone, Default)]
pub struct Series {
    kept: HistogramForm,
    samples: u64,
    errors: u64,
    sum_us: u64,
    /// Successful samples up to the threshold of satisfaction.
    satisfied: u64,
    /// Successful samples above it, up to the threshold of toleration.
    tolerated: u64,
}

/// The storage of the histogram: an unused label costs no memory, and a completed step of a
/// timeline some hundred bytes.
#[derive(Debug, Clone, Default)]
enum HistogramForm {
    #[default]
    Nothing,
    Open(Histogram<u64>),
    Packed(Box<str>),
}

impl Series {
    /// Records one sample.
    pub fn record(&mut self, elapsed: Duration, success: bool) {
        let micros = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
        // The histogram grows to the new time; if it cannot, the time counts as the longest so far.
        let histogram = self.opened();
        if histogram.record(micros.min(MICROS_MAX)).is_err() {
            histogram.saturating_record(micros);
        }
        self.samples += 1;
        self.sum_us = self.sum_us.saturating_add(micros);
        match success {
            false => self.errors += 1,
            true if micros <= SATISFIED_US => self.satisfied += 1,
            true if micros <= TOLERATED_US => self.tolerated += 1,
            true => {}
        }
    }

    /// Adds the samples of another series.
    pub fn add(&mut self, other: &Series) {
        if other.is_empty() {
            return;
        }
        other.read(|histogram| {
            self.opened()
                .add(histogram)
                .expect("invariant: both histograms resize and have equal precision");
        });
        self.samples += other.samples;
        self.sum_us = self.sum_us.saturating_add(other.sum_us);
        self.errors += other.errors;
        self.satisfied += other.satisfied;
        self.tolerated += other.tolerated;
    }

    /// Resets everything, keeping the memory.
    pub fn clear(&mut self) {
        if self.is_empty() {
            return;
        }
        let mut kept = std::mem::take(&mut self.kept);
        if let HistogramForm::Open(histogram) = &mut kept {
            histogram.reset();
        }
        *self = Self {
            kept,
            ..Self::default()
        };
    }

    /// Packs the samples into little memory; later queries and additions take longer.
    pub fn pack(&mut self) {
        self.kept = match std::mem::take(&mut self.kept) {
            HistogramForm::Open(_) if self.samples == 0 => HistogramForm::Nothing,
            HistogramForm::Open(histogram) => {
                HistogramForm::Packed(encoded::encode(&histogram).into())
            }
            other => other,
        };
    }

    fn opened(&mut self) -> &mut Histogram<u64> {
        if !matches!(self.kept, HistogramForm::Open(_)) {
            self.kept = HistogramForm::Open(match &self.kept {
                HistogramForm::Packed(text) => unpack(text),
                _ => empty(),
            });
        }
        match &mut self.kept {
            HistogramForm::Open(histogram) => histogram,
            _ => unreachable!("invariant: it was opened just now"),
        }
    }

    /// Lets a function read the histogram; the default value without one.
    fn read<R: Default>(&self, reader: impl FnOnce(&Histogram<u64>) -> R) -> R {
        match &self.kept {
            HistogramForm::Nothing => R::default(),
            HistogramForm::Open(histogram) => reader(histogram),
            HistogramForm::Packed(text) => reader(&unpack(text)),
        }
    }

    pub fn len(&self) -> u64 {
        self.samples
    }

    pub fn is_empty(&self) -> bool {
        self.samples == 0
    }

    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// The sum of all times, in milliseconds.
    pub fn sum_ms(&self) -> f64 {
        self.sum_us as f64 / 1000.0
    }

    /// The time that `percent` of the samples did not exceed, in milliseconds.
    pub fn percentile_ms(&self, percent: f64) -> f64 {
        self.read(|histogram| percentile(histogram, percent))
    }

    /// The 95 % confidence interval of a percentile, in milliseconds. The number of samples below
    /// the percentile has a binomial distribution, which bounds its rank and thereby its time,
    /// whatever the distribution of times is.
    pub fn interval_ms(&self, percent: f64) -> [f64; 2] {
        self.read(|histogram| interval(histogram, percent))
    }

    /// Times in microseconds with their numbers of samples, ascending: the histogram's content, to
    /// three digits.
    pub fn counts(&self) -> Vec<(u64, u64)> {
        self.read(|histogram| {
            let recorded = histogram.iter_recorded();
            recorded
                .map(|one| {
                    let middle = histogram.median_equivalent(one.value_iterated_to());
                    (middle, one.count_at_value())
                })
                .collect()
        })
    }

    /// The curve of percentiles: share of samples in per cent and time in ms, ever finer towards
    /// 100.
    pub fn curve(&self) -> Vec<(f64, f64)> {
        self.read(|histogram| {
            let longest = histogram.max();
            let steps = histogram.iter_quantiles(CURVE_STEPS);
            steps
                .map(|one| {
                    let percent = 100.0 * one.quantile_iterated_to();
                    (percent, millis(one.value_iterated_to().min(longest)))
                })
                .collect()
        })
    }

    /// HdrHistogram's percentile listing (`.hgrm`), in milliseconds, which its plotters read.
    pub fn hgrm(&self) -> String {
        let mut text = String::from("       Value     Percentile TotalCount 1/(1-Percentile)\n\n");
        // Writing into a string cannot fail, here and below.
        self.read(|histogram| {
            let mut counted = 0;
            for one in histogram.iter_quantiles(CURVE_STEPS) {
                counted += one.count_since_last_iteration();
                let value = millis(one.value_iterated_to().min(histogram.max()));
                let quantile = one.quantile_iterated_to();
                let _ = write!(text, "{value:12.3} {quantile:14.12} {counted:10}");
                let _ = match quantile < 1.0 {
                    true => writeln!(text, " {:14.2}", 1.0 / (1.0 - quantile)),
                    false => writeln!(text),
                };
            }
        });
        let figures = self.statistics();
        let _ = writeln!(
            text,
            "#[Mean    = {:12.3}, StdDeviation   = {:12.3}]",
            figures.average_ms, figures.deviation_ms
        );
        let _ = writeln!(
            text,
            "#[Max     = {:12.3}, Total count    = {:12}]",
            figures.maximum_ms, figures.samples
        );
        text
    }

    pub fn statistics(&self) -> Statistics {
        let samples = self.samples.max(1) as f64;
        let figures = Statistics {
            samples: self.samples,
            errors: self.errors,
            average_ms: (self.sum_us as f64 / samples).round() / 1000.0,
            apdex: (self.satisfied as f64 + self.tolerated as f64 / 2.0) / samples,
            ..Statistics::default()
        };
        if self.is_empty() {
            return figures;
        }
        self.read(|histogram| Statistics {
            deviation_ms: histogram.stdev().round() / 1000.0,
            minimum_ms: millis(histogram.min()),
            p50_ms: percentile(histogram, 50.0),
            p75_ms: percentile(histogram, 75.0),
            p90_ms: percentile(histogram, 90.0),
            p95_ms: percentile(histogram, 95.0),
            p99_ms: percentile(histogram, 99.0),
            p99_9_ms: percentile(histogram, 99.9),
            maximum_ms: millis(histogram.max()),
            p50_interval_ms: interval(histogram, 50.0),
            p95_interval_ms: interval(histogram, 95.0),
            p99_interval_ms: interval(histogram, 99.0),
            ..figures
        })
    }
}

/// The number of points of a percentile curve each time that the distance to 100 % halves.
const CURVE_STEPS: u32 = 5;

fn percentile(histogram: &Histogram<u64>, percent: f64) -> f64 {
    millis(histogram.value_at_quantile(percent / 100.0))
}

fn interval(histogram: &Histogram<u64>, percent: f64) -> [f64; 2] {
    let (samples, quantile) = (histogram.len() as f64, percent / 100.0);
    if samples == 0.0 {
        return [0.0; 2];
    }
    let spread = WITHIN_95 * (samples * quantile * (1.0 - quantile)).sqrt();
    [-spread, spread].map(|by| {
        let rank = (samples * quantile + by).clamp(1.0, samples);
        millis(histogram.value_at_quantile(rank / samples))
    })
}

/// The serialized form: Base64 of HdrHistogram's compressed format beside the exact sums.
#[derive(Serialize, Deserialize)]
struct Written {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    histogram: Option<String>,
    errors: u64,
    sum_us: u64,
    satisfied: u64,
    tolerated: u64,
}

impl Serialize for Series {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = Written {
            histogram: match &self.kept {
                _ if self.is_empty() => None,
                HistogramForm::Nothing => None,
                HistogramForm::Open(histogram) => Some(encoded::encode(histogram)),
                HistogramForm::Packed(text) => Some(text.to_string()),
            },
            errors: self.errors,
            sum_us: self.sum_us,
            satisfied: self.satisfied,
            tolerated: self.tolerated,
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Series {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Written::deserialize(deserializer)?;
        let mut series = Self {
            kept: HistogramForm::Nothing,
            samples: 0,
            errors: written.errors,
            sum_us: written.sum_us,
            satisfied: written.satisfied,
            tolerated: written.tolerated,
        };
        if let Some(text) = written.histogram {
            // Decoded now, so that an invalid text is reported here and packed texts can be trusted
            // later.
            series.samples = encoded::decode(&text).map_err(D::Error::custom)?.len();
            series.kept = HistogramForm::Packed(text.into());
        }
        Ok(series)
    }
}

fn unpack(text: &str) -> Histogram<u64> {
    // A decoded histogram has fixed bounds; ours grows.
    let mut histogram = empty();
    let read =
        encoded::decode(text).expect("invariant: a packed text was written or checked by us");
    histogram
        .add(&read)
        .expect("invariant: the histogram resizes");
    histogram
}

fn empty() -> Histogram<u64> {
    // Three significant digits from a microsecond upwards; it grows with the longest time.
    Histogram::new(3).expect("invariant: three digits are allowed")
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
        // With few samples all of them are inside the interval.
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
    fn a_series_survives_being_written_and_read() {
        let series = series((1..=5_000).chain([3_600_000_000]));
        let text = serde_json::to_string(&series).unwrap();
        let mut read: Series = serde_json::from_str(&text).unwrap();
        assert_eq!(read.statistics(), series.statistics());
        // A packed series is equal, and can still grow.
        let mut packed = series.clone();
        packed.pack();
        assert_eq!(packed.statistics(), series.statistics());
        packed.add(&series);
        assert_eq!(packed.len(), 10_002);
        // A decoded series can still grow.
        read.record(Duration::from_secs(7_200), true);
        assert_eq!(read.len(), 5_002);
        let empty = serde_json::to_string(&Series::default()).unwrap();
        assert!(!empty.contains("histogram"), "{empty}");
        assert!(serde_json::from_str::<Series>(&empty).unwrap().is_empty());
        for wrong in ["!", "AAAA", ""] {
            let text = text.replace(&text[14..40], wrong);
            assert!(serde_json::from_str::<Series>(&text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_percentile_listing_ends_with_the_longest() {
        let listing = series(1..=1000).hgrm();
        let last = listing.lines().rev().nth(2).unwrap();
        assert!(last.trim_start().starts_with("1.000 1.0"), "{last}");
        assert!(
            listing.contains("Total count    =         1000"),
            "{listing}"
        );
        let curve = series(1..=1000).curve();
        assert!(curve.is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1));
        assert_eq!(curve.last().unwrap(), &(100.0, 1.0));
    }

    #[test]
    fn counts_include_every_sample() {
        let series = series([1, 1, 5, 100_000]);
        let counts = series.counts();
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), 4);
        assert_eq!(counts[0], (1, 2));
        assert!(counts[2].0.abs_diff(100_000) < 100);
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
