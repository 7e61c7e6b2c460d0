//! A report as JSON: the figures and the analysis, with units in the names.

use octavo_figures::compare::Change;
use octavo_figures::run::Run;
use serde_json::{Value, json};

use crate::document::{Bullet, Tone};
use crate::report::{Comparison, Report};
use crate::section::worst_requests;

/// The version of this format.
const FORMAT: u32 = 1;

/// Histograms and data derived from many of them: a record has them, a report need not.
const LEFT_OUT: [&str; 4] = ["series", "intended_series", "timeline", "points"];

/// The text, indented.
pub(crate) fn text(report: &Report<'_>) -> String {
    let analysis = report.analysis();
    let others = report.others.iter().map(|run| figures(run));
    let worst = worst_requests(report.run);
    let worst = worst.iter().map(|(name, figures)| {
        json!({
            "request": name,
            "average_ms": figures.statistics.average_ms,
            "p75_ms": figures.statistics.p75_ms,
            "p95_ms": figures.statistics.p95_ms,
            "samples": figures.statistics.samples,
        })
    });
    let value = json!({
        "report_format": FORMAT,
        "summary": analysis.bullets.iter().map(bullet).collect::<Vec<_>>(),
        "run": figures(report.run),
        "probed_ranges": ranges(report.run),
        "compared_with": others.collect::<Vec<_>>(),
        "comparisons": analysis.comparisons.iter().map(comparison).collect::<Vec<_>>(),
        "requests_of_100_ms_and_more": worst.collect::<Vec<_>>(),
        "longevity": analysis.longevity,
    });
    let mut text = serde_json::to_string_pretty(&value).expect("invariant: keys are texts");
    text.push('\n');
    text
}

fn figures(run: &Run) -> Value {
    let mut value = serde_json::to_value(run).expect("invariant: a run's keys are texts");
    trim(&mut value);
    value
}

/// Removes histograms and points. The ranges of probed series are elsewhere.
fn trim(value: &mut Value) {
    match value {
        Value::Object(properties) => {
            for name in LEFT_OUT {
                properties.remove(name);
            }
            properties.values_mut().for_each(trim);
        }
        Value::Array(all) => all.iter_mut().for_each(trim),
        _ => {}
    }
}

fn ranges(run: &Run) -> Vec<Value> {
    let all = run.probed.series.iter();
    all.filter_map(|one| {
        let (least, mean, most) = one.range()?;
        Some(json!({
            "source": one.source,
            "measure": one.measure,
            "unit": one.unit,
            "least": least,
            "mean": mean,
            "most": most,
        }))
    })
    .collect()
}

fn bullet(bullet: &Bullet) -> Value {
    let tone = match bullet.tone {
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Plain | Tone::Quiet => "plain",
    };
    json!({ "tone": tone, "text": bullet.text })
}

fn comparison(comparison: &Comparison) -> Value {
    json!({
        "with": comparison.before,
        "source": comparison.source,
        "unlike": comparison.unlike,
        "changes": comparison.changes.iter().map(change).collect::<Vec<_>>(),
    })
}

fn change(change: &Change) -> Value {
    json!({
        "name": change.name,
        "transaction": change.transaction,
        "statistic": change.statistic,
        "before_ms": change.before_ms,
        "after_ms": change.after_ms,
        "change_per_cent": change.per_cent(),
        "interval_per_cent": change.interval_per_cent,
        "real": change.real,
    })
}
