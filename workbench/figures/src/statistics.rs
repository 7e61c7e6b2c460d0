//! A series in figures.

use serde::{Deserialize, Serialize};

/// The standard normal distribution has 95 % of itself within so many deviations.
pub(crate) const WITHIN_95: f64 = 1.96;

/// A series in figures; times in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
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
