//! The figures of requests: responses by route template, method and status class, and times.

use super::text::{Exposition, Kind};
use crate::gateway::metrics::{BOUNDS_US, RequestMetrics, RouteSnapshot};

const COUNT: &str = "octavo_http_requests_total";
const TIME: &str = "octavo_http_request_seconds";

pub(super) fn write(text: &mut Exposition, metrics: &RequestMetrics, in_flight: usize) {
    let help = "Requests that are being answered.";
    text.single(
        "octavo_http_requests_in_flight",
        Kind::Gauge,
        help,
        in_flight,
    );
    let all = metrics.snapshot();
    text.family(
        COUNT,
        Kind::Counter,
        "Responses by route template, method and class of status.",
    );
    for one in &all {
        for (at, count) in one.statuses.iter().enumerate() {
            if *count > 0 {
                let class = format!("{}xx", at + 1);
                let labels = [
                    ("route", &*one.route),
                    ("method", one.method),
                    ("status", &*class),
                ];
                text.sample(COUNT, &labels, count);
            }
        }
    }
    text.family(TIME, Kind::Histogram, "Time until the head of a response.");
    for one in &all {
        histogram(text, one);
    }
}

fn histogram(text: &mut Exposition, one: &RouteSnapshot) {
    let of = [("route", &*one.route), ("method", one.method)];
    let bucket = format!("{TIME}_bucket");
    let mut below = 0;
    for (bound, count) in BOUNDS_US.iter().zip(&one.buckets) {
        below += count;
        let bound = seconds(*bound);
        text.sample(&bucket, &[of[0], of[1], ("le", &bound)], below);
    }
    let all: u64 = one.buckets.iter().sum();
    text.sample(&bucket, &[of[0], of[1], ("le", "+Inf")], all);
    text.sample(&format!("{TIME}_sum"), &of, seconds(one.sum_us));
    text.sample(&format!("{TIME}_count"), &of, all);
}

/// Seconds from whole microseconds.
fn seconds(us: u64) -> String {
    let text = format!("{}.{:06}", us / 1_000_000, us % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use http::{Method, StatusCode};

    use super::*;
    use crate::gateway::metrics::AnsweredRequest;

    #[test]
    fn buckets_are_cumulative_and_the_last_has_all() {
        let metrics = RequestMetrics::default();
        for us in [900, 1_000, 2_000, 60_000_000] {
            metrics.note(AnsweredRequest {
                route: "/users/{id}".into(),
                method: &Method::GET,
                tenant: None,
                status: StatusCode::OK,
                elapsed: Duration::from_micros(us),
            });
        }
        let mut text = Exposition::default();
        write(&mut text, &metrics, 0);
        let text = text.into_text();
        let of = "route=\"/users/{id}\",method=\"GET\"";
        for line in [
            format!("octavo_http_requests_total{{{of},status=\"2xx\"}} 4"),
            format!("octavo_http_request_seconds_bucket{{{of},le=\"0.001\"}} 2"),
            format!("octavo_http_request_seconds_bucket{{{of},le=\"0.0025\"}} 3"),
            format!("octavo_http_request_seconds_bucket{{{of},le=\"10\"}} 3"),
            format!("octavo_http_request_seconds_bucket{{{of},le=\"+Inf\"}} 4"),
            format!("octavo_http_request_seconds_sum{{{of}}} 60.0039"),
            format!("octavo_http_request_seconds_count{{{of}}} 4"),
        ] {
            assert!(text.lines().any(|one| one == line), "{line}\n{text}");
        }
    }
}
