//! The plot of the run on the page: a point a second, fewer in a long run.

use serde::Serialize;

use crate::drive::Live;

/// At this many points every second one is dropped.
const POINTS_MAX: usize = 1_800;

/// One point.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Point {
    pub(super) at_s: f64,
    users: usize,
    rate: Option<f64>,
    requests_per_s: f64,
    errors_per_s: f64,
    /// By transaction: p50, p95 and p99 in ms; none where no request ended.
    times: Vec<Option<[f64; 3]>>,
    #[serde(skip)]
    requests: (u64, u64),
}

/// The points so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    points: Vec<Point>,
    /// Seconds between points.
    every: u32,
    /// Seconds since the last point.
    skipped: u32,
}

impl Point {
    pub(super) fn of(live: &Live<'_>) -> Self {
        let times = live.latest.iter().map(|series| {
            let percentile = |percent| series.percentile_ms(percent);
            (!series.is_empty()).then(|| [50.0, 95.0, 99.0].map(percentile))
        });
        Self {
            at_s: live.elapsed.as_secs_f64(),
            users: live.users,
            rate: live.rate,
            requests_per_s: 0.0,
            errors_per_s: 0.0,
            times: times.collect(),
            requests: live.requests,
        }
    }
}

impl Line {
    /// Adds the point of another second.
    pub(super) fn add(&mut self, mut point: Point) {
        self.skipped += 1;
        if self.skipped < self.every {
            return;
        }
        self.skipped = 0;
        let (then, before) = self
            .points
            .last()
            .map_or((0.0, (0, 0)), |last| (last.at_s, last.requests));
        let seconds = (point.at_s - then).max(1e-3);
        let per_s = |now: u64, before: u64| now.saturating_sub(before) as f64 / seconds;
        point.requests_per_s = per_s(point.requests.0, before.0);
        point.errors_per_s = per_s(point.requests.1, before.1);
        self.points.push(point);
        if self.points.len() > POINTS_MAX {
            let mut number = 0;
            self.points.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.every = (self.every * 2).max(2);
        }
    }

    /// The points after a moment.
    pub(super) fn after(&self, at_s: f64) -> &[Point] {
        let from = self.points.partition_point(|point| point.at_s <= at_s);
        &self.points[from..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(second: u64) -> Point {
        Point {
            at_s: second as f64,
            users: 1,
            rate: None,
            requests_per_s: 0.0,
            errors_per_s: 0.0,
            times: Vec::new(),
            requests: (10 * second, second),
        }
    }

    #[test]
    fn a_day_is_thinned_and_its_rates_stay_right() {
        let mut line = Line::default();
        (1..=86_400).for_each(|second| line.add(point(second)));
        assert!(line.points.len() <= POINTS_MAX && line.points.len() > POINTS_MAX / 3);
        let last = line.points.last().unwrap();
        assert!(
            (last.requests_per_s - 10.0).abs() < 1e-9 && (last.errors_per_s - 1.0).abs() < 1e-9
        );
        assert!(line.after(86_000.0).len() < 20);
        assert_eq!(line.after(90_000.0).len(), 0);
    }
}
