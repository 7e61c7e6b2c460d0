//! The figures of a series.

use serde::{Deserialize, Serialize};

/// 95 % of a normal distribution lie within so many standard deviations.
pub(crate) const WITHIN_95: f64 = 1.96;

/// The figures of a series; times in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// All samples, failed ones included.
    pub samples: u64,
    pub errors: u64,
    pub average_ms: f64,
    pub deviation_ms: f64,
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
    pub maximum_ms: f64,
    /// The 95 % confidence interval of the 50th percentile.
    pub p50_interval_ms: [f64; 2],
    /// The 95 % confidence interval of the 95th percentile.
    pub p95_interval_ms: [f64; 2],
    /// The 95 % confidence interval of the 99th percentile.
    pub p99_interval_ms: [f64; 2],
    /// The share of satisfied samples plus half of the tolerated ones: up to 500 ms, up to 1,500
    /// ms, as in JMeter's reports. Failed samples count as neither.
    pub apdex: f64,
}

impl Statistics {
    /// The 95 % confidence interval of the average.
    #[must_use]
    pub fn average_interval_ms(&self) -> [f64; 2] {
        let spread = WITHIN_95 * self.deviation_ms / (self.samples.max(1) as f64).sqrt();
        [self.average_ms - spread, self.average_ms + spread]
    }
}
