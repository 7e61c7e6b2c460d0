//! Two runs, or a run and published figures, side by side: what changed by how much, and whether
//! that can be chance.

use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};
use serde::Deserialize;

use super::baseline::Published;
use crate::measure::Statistics;

/// What a comparison reads of a run's JSON summary.
#[derive(Debug, Clone, Deserialize)]
pub struct Measured {
    /// The workload's name.
    pub workload: String,
    /// Virtual users.
    pub virtual_users: usize,
    transactions: Vec<MeasuredTransaction>,
}

#[derive(Debug, Clone, Deserialize)]
struct MeasuredTransaction {
    name: String,
    statistics: Option<Statistics>,
    requests: Vec<MeasuredRequest>,
}

#[derive(Debug, Clone, Deserialize)]
struct MeasuredRequest {
    label: String,
    statistics: Statistics,
}

/// A time, and where it lies with 95 % confidence if that is known.
#[derive(Debug, Clone, Copy)]
struct Time {
    ms: f64,
    interval: Option<[f64; 2]>,
}

/// One figure of those that a comparison knows by name.
fn time(figures: &Statistics, statistic: &str) -> Option<Time> {
    let (ms, interval) = match statistic {
        "average" => (figures.average_ms, Some(figures.average_interval_ms())),
        "p50" => (figures.p50_ms, Some(figures.p50_interval_ms)),
        "p75" => (figures.p75_ms, None),
        "p95" => (figures.p95_ms, Some(figures.p95_interval_ms)),
        "p99" => (figures.p99_ms, Some(figures.p99_interval_ms)),
        _ => return None,
    };
    (figures.samples > 0).then_some(Time { ms, interval })
}

impl Measured {
    fn all(&self) -> impl Iterator<Item = (&str, &Statistics)> {
        let sums = self.transactions.iter().filter_map(|one| {
            let figures = one.statistics.as_ref()?;
            Some((one.name.as_str(), figures))
        });
        let requests = self.transactions.iter().flat_map(|one| &one.requests);
        sums.chain(requests.map(|one| (one.label.as_str(), &one.statistics)))
    }

    fn named(&self, name: &str) -> Option<&Statistics> {
        self.all()
            .find(|(other, _)| *other == name)
            .map(|(_, figures)| figures)
    }
}

/// One figure before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The transaction or request.
    pub name: String,
    /// `average`, `p50`, …
    pub statistic: String,
    /// Before.
    pub before_ms: f64,
    /// After.
    pub after_ms: f64,
    /// Whether it is more than chance; none where nothing says so.
    pub real: Option<bool>,
}

impl Change {
    fn of(name: &str, statistic: &str, before: Time, after: Time) -> Self {
        let real = match (before.interval, after.interval) {
            (Some(before), Some(after)) => Some(after[0] > before[1] || after[1] < before[0]),
            (None, Some(after)) => Some(before.ms < after[0] || before.ms > after[1]),
            _ => None,
        };
        Self {
            name: name.to_owned(),
            statistic: statistic.to_owned(),
            before_ms: before.ms,
            after_ms: after.ms,
            real,
        }
    }

    /// How much longer it takes, in per cent.
    pub fn per_cent(&self) -> f64 {
        100.0 * (self.after_ms / self.before_ms.max(1e-9) - 1.0)
    }
}

/// A run beside published figures. Those come without a distribution: a difference counts as real
/// when the published figure lies outside where the run's own lies with 95 % confidence.
pub fn with_baseline(baseline: &[Published], run: &Measured) -> Vec<Change> {
    let change = |one: &Published| {
        let after = time(run.named(one.name)?, one.statistic)?;
        let before = Time {
            ms: one.ms,
            interval: None,
        };
        Some(Change::of(one.name, one.statistic, before, after))
    };
    baseline.iter().filter_map(change).collect()
}

/// Two runs: every name that both have. A difference counts as real when the intervals in which the
/// figures lie with 95 % confidence do not meet, which is stricter than one test of both.
pub fn of_runs(before: &Measured, after: &Measured) -> Vec<Change> {
    let mut changes = Vec::new();
    for (name, figures) in before.all() {
        let Some(others) = after.named(name) else {
            continue;
        };
        for statistic in ["average", "p50", "p95", "p99"] {
            if let Some((before, after)) = time(figures, statistic).zip(time(others, statistic)) {
                changes.push(Change::of(name, statistic, before, after));
            }
        }
    }
    changes
}

/// The comparison as a table.
pub fn comparison(changes: &[Change], before: &str, after: &str) -> String {
    let mut table = Table::new();
    table
        .load_style(UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(["times in ms", "", before, after, "change", ""]);
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    let mut last = "";
    for change in changes {
        let name = if change.name == last {
            ""
        } else {
            &change.name
        };
        last = &change.name;
        let verdict = match change.real {
            Some(true) => "",
            Some(false) => "may be chance",
            None => "no interval",
        };
        table.add_row(vec![
            Cell::new(name),
            Cell::new(&change.statistic),
            right(format!("{:.2}", change.before_ms)),
            right(format!("{:.2}", change.after_ms)),
            right(format!("{:+.1} %", change.per_cent())),
            Cell::new(verdict),
        ]);
    }
    format!("{table}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(average: f64, p95: f64, spread: f64) -> Measured {
        let statistics = serde_json::json!({
            "samples": 400, "errors": 0, "average_ms": average, "deviation_ms": 10.0,
            "minimum_ms": 1.0, "p50_ms": average, "p75_ms": average, "p90_ms": p95, "p95_ms": p95,
            "p99_ms": p95, "p99_9_ms": p95, "maximum_ms": p95, "apdex": 1.0,
            "p50_interval_ms": [average - spread, average + spread],
            "p95_interval_ms": [p95 - spread, p95 + spread],
            "p99_interval_ms": [p95 - spread, p95 + spread],
        });
        let json = serde_json::json!({
            "workload": "check-in-check-out", "virtual_users": 20, "other": 1,
            "transactions": [{"name": "Check-Out Controller", "statistics": statistics,
                "requests": [{"label": "GET_x", "statistics": statistics}]}],
        });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn what_lies_apart_is_real_and_what_overlaps_may_be_chance() {
        let changes = of_runs(&run(100.0, 200.0, 5.0), &run(108.0, 220.0, 5.0));
        let of = |name: &str, statistic: &str| {
            let wanted = |one: &&Change| one.name == name && one.statistic == statistic;
            changes.iter().find(wanted).unwrap().clone()
        };
        // 10 ms of deviation over 400 samples: the average is known to a millisecond.
        assert_eq!(of("GET_x", "average").real, Some(true));
        assert_eq!(of("Check-Out Controller", "p50").real, Some(false));
        let p95 = of("Check-Out Controller", "p95");
        assert_eq!(p95.real, Some(true));
        assert!((p95.per_cent() - 10.0).abs() < 1e-9);
        assert_eq!(changes.len(), 8);
        let text = comparison(&changes, "before", "after");
        assert!(
            text.contains("+10.0 %") && text.contains("may be chance"),
            "{text}"
        );
    }

    #[test]
    fn a_published_figure_is_compared_with_where_ours_lies() {
        let (_, baseline) =
            super::super::baseline::baseline("check-in-check-out", "nolana", 20).unwrap();
        let changes = with_baseline(&baseline, &run(65.8, 758.0, 5.0));
        assert_eq!(changes.len(), 4, "{changes:?}");
        let average = &changes[0];
        assert!((average.per_cent() + 90.0).abs() < 1e-9 && average.real == Some(true));
        let p95 = changes.iter().find(|one| one.statistic == "p95").unwrap();
        assert_eq!(p95.real, Some(false));
        let p75 = changes.iter().find(|one| one.statistic == "p75").unwrap();
        assert_eq!(p75.real, None);
    }
}
