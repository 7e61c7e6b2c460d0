//! Runs that JMeter, k6 or Gatling measured, in the form of a comparison.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use octavo_drafts::results::{Figures, ForeignRun, Label, LabelKind, Samples, Sink, read_into};
use octavo_figures::compare::{Entry, Measured};
use octavo_figures::{Series, Statistics};

/// Histograms by name and kind.
#[derive(Default)]
struct Histograms(BTreeMap<(bool, String), Series>);

impl Sink for Histograms {
    fn sample(
        &mut self,
        label: &str,
        transaction: bool,
        _at_ms: i64,
        elapsed_us: u64,
        success: bool,
        _bytes: u64,
    ) {
        let series = self.0.entry((transaction, label.to_owned())).or_default();
        series.record(Duration::from_micros(elapsed_us), success);
    }
}

/// Reads another tool's result file. Remarks about it are printed on standard error.
pub(super) fn read(path: &Path) -> anyhow::Result<Measured> {
    let mut histograms = Histograms::default();
    let run = read_into(path, &mut histograms)?;
    for note in &run.notes {
        eprintln!("{}: {note}", path.display());
    }
    Ok(measured(run, histograms, path))
}

fn measured(run: ForeignRun, mut histograms: Histograms, path: &Path) -> Measured {
    let file = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let mut entries: Vec<Entry> = run
        .labels
        .into_iter()
        .map(|label| {
            let transaction = label.kind == LabelKind::Transaction;
            let series = histograms.0.remove(&(transaction, label.name.clone()));
            entry(label, transaction, series.unwrap_or_default())
        })
        .collect();
    // In the order of our own runs: transactions first.
    entries.sort_by_key(|entry| !entry.transaction);
    Measured {
        called: format!("{} ({})", file.unwrap_or_default(), run.tool.name()),
        workload: None,
        virtual_users: None,
        open: false,
        entries,
    }
}

fn entry(label: Label, transaction: bool, series: Series) -> Entry {
    let statistics = match &label.samples {
        Samples::Streamed(_) => series.statistics(),
        Samples::Summary(figures) => statistics(figures),
    };
    Entry {
        name: label.name,
        transaction,
        statistics,
        series,
        steps: Vec::new(),
    }
}

/// The figures of a summary; missing ones are 0, and are not compared.
fn statistics(figures: &Figures) -> Statistics {
    let percentile = |wanted: f64| {
        let known = figures.percentiles_ms.iter();
        let mut known = known.filter(|(percent, _)| (percent - wanted).abs() < 1e-6);
        known.next().map_or(0.0, |(_, ms)| *ms)
    };
    Statistics {
        samples: figures.count.unwrap_or(1),
        errors: figures.errors.unwrap_or(0),
        average_ms: figures.average_ms.unwrap_or(0.0),
        minimum_ms: figures.min_ms.unwrap_or(0.0),
        maximum_ms: figures.max_ms.unwrap_or(0.0),
        p50_ms: percentile(50.0),
        p75_ms: percentile(75.0),
        p90_ms: percentile(90.0),
        p95_ms: percentile(95.0),
        p99_ms: percentile(99.0),
        p99_9_ms: percentile(99.9),
        ..Statistics::default()
    }
}
