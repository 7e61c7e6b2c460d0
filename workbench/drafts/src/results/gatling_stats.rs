//! Gatling's figures: `js/stats.json`, a tree of groups and requests, and `js/global_stats.json`.

use serde_json::Value;

use super::input::Input;
use super::{Figures, ForeignRun, Label, LabelKind, ReadError, Samples, Tool};

/// Gatling's default percentiles.
const PERCENTILES: [(f64, &str); 4] = [
    (50.0, "percentiles1"),
    (75.0, "percentiles2"),
    (95.0, "percentiles3"),
    (99.0, "percentiles4"),
];
const DEPTH_MAX: usize = 64;

pub(super) fn read(input: &mut Input) -> Result<ForeignRun, ReadError> {
    let text = input.whole()?;
    let json: Value = serde_json::from_str(&text).map_err(|error| ReadError::Malformed {
        file: input.path().to_owned(),
        line: error.line() as u64,
        reason: error.to_string(),
        remedy: "give js/stats.json of the report as Gatling wrote it",
    })?;
    let mut labels = Vec::new();
    let global = match json.get("stats") {
        Some(stats) => {
            contents(&json, DEPTH_MAX, &mut labels);
            stats
        }
        None => &json,
    };
    let all = figures(global);
    if labels.is_empty() {
        labels.push(Label {
            name: "all requests".to_owned(),
            kind: LabelKind::Request,
            samples: Samples::Summary(all.clone()),
        });
    }
    if all.count.is_none() {
        return Err(ReadError::Empty {
            file: input.path().to_owned(),
            reason: "it has no numberOfRequests".to_owned(),
        });
    }
    let rate = number(global, "meanNumberOfRequestsPerSecond", "total");
    let seconds = rate.filter(|rate| *rate > 0.0).zip(all.count);
    Ok(ForeignRun {
        tool: Tool::GatlingStats,
        started_at_ms: None,
        seconds: seconds.map(|(rate, count)| count as f64 / rate),
        labels,
        errors: all.errors.unwrap_or(0),
        unreadable_rows: 0,
        notes: vec![
            "it has figures only, no samples; its percentiles are taken to be Gatling's own: 50, \
             75, 95, 99"
                .to_owned(),
        ],
    })
}

fn contents(node: &Value, depth: usize, labels: &mut Vec<Label>) {
    let below = node.get("contents").and_then(Value::as_object);
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    for child in below.into_iter().flat_map(|below| below.values()) {
        let text = |name: &str| child.get(name).and_then(Value::as_str);
        let kind = match text("type") {
            Some("GROUP") => LabelKind::Transaction,
            _ => LabelKind::Request,
        };
        if let (Some(name), Some(stats)) = (text("name"), child.get("stats")) {
            labels.push(Label {
                name: name.to_owned(),
                kind,
                samples: Samples::Summary(figures(stats)),
            });
        }
        contents(child, depth, labels);
    }
}

fn figures(stats: &Value) -> Figures {
    let total = |name: &str| number(stats, name, "total");
    let count = |column: &str| number(stats, "numberOfRequests", column).map(|one| one as u64);
    let percentiles = PERCENTILES.iter();
    let percentiles = percentiles.filter_map(|(at, name)| Some((*at, total(name)?)));
    Figures {
        count: count("total"),
        errors: count("ko"),
        average_ms: total("meanResponseTime"),
        min_ms: total("minResponseTime"),
        max_ms: total("maxResponseTime"),
        percentiles_ms: percentiles.collect(),
    }
}

/// A number, which versions write as a number, as text with commas, or as `-` for none.
fn number(stats: &Value, name: &str, column: &str) -> Option<f64> {
    match stats.get(name)?.get(column)? {
        Value::String(text) => text.replace([',', ' '], "").parse().ok(),
        value => value.as_f64(),
    }
}
