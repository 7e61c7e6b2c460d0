//! k6's summary: `--summary-export`, or the data of `handleSummary`. Trends with a tag in their
//! name, `http_req_duration{name:login}`, are labels of their own.

use serde_json::{Map, Value};

use super::input::Input;
use super::{Figures, ForeignRun, Label, LabelKind, ReadError, Samples, Tool};

const ALL: &str = "all requests";

pub(super) fn read(input: &mut Input) -> Result<ForeignRun, ReadError> {
    let text = input.whole()?;
    let json: Value = serde_json::from_str(&text).map_err(|error| ReadError::Malformed {
        file: input.path().to_owned(),
        line: error.line() as u64,
        reason: error.to_string(),
        remedy: "give the file of `k6 run --summary-export FILE` whole",
    })?;
    let empty = Map::new();
    let metrics = json
        .get("metrics")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    let number = |metric: &str, name: &str| values(metrics.get(metric)?).get(name)?.as_f64();
    let requests = number("http_reqs", "count").map(|count| count as u64);
    let errors = number("http_req_failed", "passes").map(|count| count as u64);
    let errors = errors.or_else(|| {
        let share = number("http_req_failed", "value").or(number("http_req_failed", "rate"))?;
        Some((share * requests? as f64).round() as u64)
    });
    let mut labels = Vec::new();
    for (name, metric) in metrics {
        let (stem, tag) = match name.split_once('{') {
            Some((stem, tag)) => (stem, Some(tag.trim_end_matches('}'))),
            None => (name.as_str(), None),
        };
        let kind = match stem {
            "http_req_duration" => LabelKind::Request,
            "group_duration" => LabelKind::Transaction,
            _ => continue,
        };
        let mut figures = figures(values(metric));
        let label = match (kind, tag) {
            (LabelKind::Request, None) => {
                figures.count = requests;
                figures.errors = errors;
                ALL.to_owned()
            }
            (LabelKind::Transaction, None) => "all groups".to_owned(),
            (_, Some(tag)) => match tag.split_once(':') {
                Some(("name" | "url", value)) => value.to_owned(),
                Some(("group", value)) => super::k6_json::group(value).into_owned(),
                _ => format!("{ALL} ({tag})"),
            },
        };
        labels.push(Label {
            name: label,
            kind,
            samples: Samples::Summary(figures),
        });
    }
    if labels.is_empty() {
        return Err(ReadError::Empty {
            file: input.path().to_owned(),
            reason: "it has no http_req_duration".to_owned(),
        });
    }
    let state = json
        .get("state")
        .and_then(|state| state.get("testRunDurationMs"));
    let seconds = state.and_then(Value::as_f64).map(|length| length / 1000.0);
    let seconds = seconds.or_else(|| {
        let rate = number("http_reqs", "rate").filter(|rate| *rate > 0.0)?;
        Some(requests? as f64 / rate)
    });
    Ok(ForeignRun {
        tool: Tool::K6Summary,
        started_at_ms: None,
        seconds,
        labels,
        errors: errors.unwrap_or(0),
        unreadable_rows: 0,
        notes: vec!["it has figures only, no samples".to_owned()],
    })
}

/// `handleSummary` has the figures one level deeper.
fn values(metric: &Value) -> &Value {
    metric.get("values").unwrap_or(metric)
}

fn figures(values: &Value) -> Figures {
    let number = |name: &str| values.get(name).and_then(Value::as_f64);
    let mut percentiles: Vec<(f64, f64)> = values
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| {
            let percentile = match name.as_str() {
                "med" => 50.0,
                name => name.strip_prefix("p(")?.strip_suffix(')')?.parse().ok()?,
            };
            Some((percentile, value.as_f64()?))
        })
        .collect();
    percentiles.sort_by(|one, other| one.0.total_cmp(&other.0));
    percentiles.dedup_by(|one, other| one.0 == other.0);
    Figures {
        count: number("count").map(|count| count as u64),
        errors: None,
        average_ms: number("avg"),
        min_ms: number("min"),
        max_ms: number("max"),
        percentiles_ms: percentiles,
    }
}
