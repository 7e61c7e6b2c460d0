//! The figures of a `hammer` run, for people and as JSON.

use std::time::Duration;

use serde::Serialize;

use super::HammerOptions;
use octavo_figures::Series;

use crate::measure::Failures;

/// The figures of a `hammer` run.
#[derive(Debug, Clone, Serialize)]
pub struct HammerSummary {
    pub server: String,
    pub path_template: String,
    pub connections: usize,
    pub threads: usize,
    /// Wall time in seconds.
    pub measured_s: f64,
    /// Requests, failed ones included.
    pub requests: u64,
    /// Responses with a status from 200 to 299 and the expected text.
    pub successes: u64,
    pub errors: u64,
    pub requests_per_s: f64,
    pub average_ms: f64,
    pub p50_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub maximum_ms: f64,
    /// Bytes of responses.
    pub received_bytes: u64,
    /// Processor time of the driver for one request, where the system reports it.
    pub driver_us_per_request: Option<f64>,
    /// Errors by kind.
    pub failures: Vec<HammerFailure>,
}

/// One kind of error.
#[derive(Debug, Clone, Serialize)]
pub struct HammerFailure {
    pub kind: String,
    pub count: u64,
    /// The beginning of the first one's body.
    pub first_body: String,
}

impl HammerSummary {
    pub(super) fn new(
        options: &HammerOptions,
        series: &Series,
        failures: &Failures,
        received_bytes: u64,
        measured: Duration,
        processor: Option<Duration>,
    ) -> Self {
        let figures = series.statistics();
        let requests = figures.samples;
        let failures = failures.iter().map(|(_, kind, failure)| HammerFailure {
            kind: kind.to_owned(),
            count: failure.count,
            first_body: failure.first_body.clone(),
        });
        Self {
            server: options.target.url.clone(),
            path_template: options.path_template.clone(),
            connections: options.connections,
            threads: options.threads.min(options.connections),
            measured_s: measured.as_secs_f64(),
            requests,
            successes: requests - figures.errors,
            errors: figures.errors,
            requests_per_s: requests as f64 / measured.as_secs_f64().max(1e-9),
            average_ms: figures.average_ms,
            p50_ms: figures.p50_ms,
            p95_ms: figures.p95_ms,
            p99_ms: figures.p99_ms,
            maximum_ms: figures.maximum_ms,
            received_bytes,
            driver_us_per_request: processor
                .filter(|_| requests > 0)
                .map(|time| time.as_secs_f64() * 1e6 / requests as f64),
            failures: failures.collect(),
        }
    }
}

/// The figures as lines for people.
pub fn table(summary: &HammerSummary) -> String {
    let cost = summary.driver_us_per_request.map_or(String::new(), |cost| {
        format!(", driver {cost:.1} µs/request")
    });
    let mut text = format!(
        "{} connections, {:.1} s: {:.0} requests/s, {} errors{cost}\n\
         average {:.3} ms, p50 {:.3}, p95 {:.3}, p99 {:.3}, longest {:.3}\n",
        summary.connections,
        summary.measured_s,
        summary.requests_per_s,
        summary.errors,
        summary.average_ms,
        summary.p50_ms,
        summary.p95_ms,
        summary.p99_ms,
        summary.maximum_ms,
    );
    for failure in &summary.failures {
        let body = failure.first_body.lines().next().unwrap_or_default();
        text.push_str(&format!("{} × {}: {body}\n", failure.count, failure.kind));
    }
    text
}
