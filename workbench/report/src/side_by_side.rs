//! Compares two or more runs side by side; the others are compared with the first.

use octavo_figures::Series;
use octavo_figures::compare::{Change, Measured, of_runs};
use octavo_figures::run::Run;

use crate::bullets::compared;
use crate::document::{Cell, Document, Section, Table, Tone};
use crate::number::{change, decimals, fixed};
use crate::plot::{self, Across, Form, Line, Plot, TRANSACTIONS_MAX, short};
use crate::report::{Comparison, unlike};
use crate::section::{EXPLAINED, runs_table, transactions};
use crate::{html, markdown};

/// The figures of a transaction; requests have two.
const STATISTICS: [&str; 5] = ["average", "p50", "p75", "p95", "p99"];
const STATISTICS_OF_REQUESTS: [&str; 2] = ["average", "p95"];

/// Runs side by side as one HTML file.
pub fn html_comparison(runs: &[&Run]) -> String {
    html::page(&document(runs))
}

/// Runs side by side as Markdown.
pub fn markdown_comparison(runs: &[&Run]) -> String {
    markdown::page(&document(runs))
}

fn document(runs: &[&Run]) -> Document {
    let called = called(runs);
    let Some((first, others)) = runs.split_first() else {
        return Document {
            title: "No runs to compare".to_owned(),
            ..Document::default()
        };
    };
    let measured: Vec<Measured> = runs.iter().map(|run| Measured::from(*run)).collect();
    let changes: Vec<Vec<Change>> = measured[1..]
        .iter()
        .map(|other| of_runs(&measured[0], other))
        .collect();

    let mut overview = Section::new("overview", "Runs");
    overview.table(runs_table(
        "The runs; the first is what the others are measured by",
        runs,
    ));
    for (other, name) in others.iter().zip(&called[1..]) {
        let reasons = unlike(first, other).into_iter();
        reasons.for_each(|reason| overview.note(format!("{name}: {reason}")));
    }

    let mut summary = Section::new("summary", "Summary");
    let mut bullets = Vec::new();
    for (changes, name) in changes.iter().zip(&called[1..]) {
        let comparison = Comparison {
            before: called[0].clone(),
            source: None,
            unlike: Vec::new(),
            changes: changes.clone(),
        };
        let from = bullets.len();
        compared(&comparison, &mut bullets);
        for bullet in &mut bullets[from..] {
            bullet.text = format!("{name}: {}", bullet.text);
        }
    }
    summary.bullets(bullets);

    let mut times = Section::new("response-times", "Response times");
    times.note(EXPLAINED);
    for (wanted, caption, statistics) in [
        (true, "Transactions", &STATISTICS[..]),
        (false, "Requests", &STATISTICS_OF_REQUESTS[..]),
    ] {
        times.table(side_by_side(
            caption, wanted, statistics, &measured, &changes, &called,
        ));
    }

    let mut plots = Section::new("plots", "Percentiles");
    let names: Vec<(usize, &str)> = transactions(first).take(TRANSACTIONS_MAX).collect();
    plots.plots(
        names
            .iter()
            .map(|(_, name)| curve(name, &measured, &called)),
    );
    plots.heading("95th percentile over time");
    plots.plots(names.iter().map(|(_, name)| over_time(name, runs, &called)));
    Document {
        title: format!("{}: {} runs side by side", first.facts.workload, runs.len()),
        subtitle: called.join(" · "),
        sections: vec![overview, summary, times, plots],
    }
}

/// Names of runs, made distinct where they are the same.
fn called(runs: &[&Run]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, run) in runs.iter().enumerate() {
        let name = run.facts.called();
        names.push(match names.contains(&name) {
            true => format!("{name} ({})", at + 1),
            false => name,
        });
    }
    names
}

fn side_by_side(
    caption: &str,
    wanted: bool,
    statistics: &[&str],
    measured: &[Measured],
    changes: &[Vec<Change>],
    called: &[String],
) -> Table {
    let first = caption.trim_end_matches('s').to_lowercase();
    let titles = [first.as_str(), "figure in ms"].into_iter();
    let runs: Vec<String> = called.iter().map(|name| format!("#{name}")).collect();
    let titles: Vec<&str> = titles.chain(runs.iter().map(String::as_str)).collect();
    let mut table = Table::new(caption, &titles);
    let own = measured[0].entries.iter();
    for entry in own.filter(|one| one.transaction == wanted && one.statistics.samples > 0) {
        for (at, statistic) in statistics.iter().enumerate() {
            let Some(before) = entry.statistics.by_name(statistic) else {
                continue;
            };
            let digits = decimals(before);
            let mut cells = vec![
                Cell::new(if at == 0 { entry.name.as_str() } else { "" }),
                Cell::new(*statistic),
                Cell::new(fixed(before, digits)),
            ];
            for changes in changes {
                let same = |one: &&Change| one.name == entry.name && one.statistic == *statistic;
                let one = changes.iter().find(same);
                cells.push(one.map_or(Cell::new("–"), |one| {
                    Cell::new(fixed(one.after_ms, digits))
                        .with(change(one.per_cent()))
                        .toned(tone(one))
                }));
            }
            table.row_strong(cells, at == 0);
        }
    }
    table
}

/// Only what is more than chance is coloured.
pub(crate) fn tone(change: &Change) -> Tone {
    match change.real {
        Some(true) if change.per_cent() > 0.0 => Tone::Bad,
        Some(true) => Tone::Good,
        _ => Tone::Plain,
    }
}

fn curve(name: &str, measured: &[Measured], called: &[String]) -> Option<Plot> {
    let own = measured.iter().zip(called).enumerate();
    let series: Vec<(String, &Series, Form, usize)> = own
        .filter_map(|(at, (run, called))| {
            let entry = run.named(name)?;
            Some((called.clone(), &entry.series, Form::Plain, at + 1))
        })
        .collect();
    plot::curves(name, &series)
}

fn over_time(name: &str, runs: &[&Run], called: &[String]) -> Option<Plot> {
    let steps = runs.iter().map(|run| run.timeline.step_s);
    let step_s = steps.fold(0.0, f64::max);
    if step_s <= 0.0 {
        return None;
    }
    let columns: Vec<Vec<(usize, f64)>> = runs
        .iter()
        .map(|run| {
            let number = run.transactions.iter().position(|one| one.name == name);
            let timeline = run.timeline.in_steps_of(step_s);
            let steps = timeline.steps.iter().filter_map(|step| {
                let series = step.transactions.get(number?)?;
                let column = (step.at_s / step_s).round() as usize;
                (!series.is_empty()).then(|| (column, series.percentile_ms(95.0)))
            });
            steps.collect()
        })
        .collect();
    let last = columns.iter().flatten().map(|(column, _)| *column).max()?;
    let lines = columns.iter().zip(called).enumerate();
    let lines = lines.map(|(at, (own, called))| {
        let mut values = vec![None; last + 1];
        for (column, ms) in own {
            values[*column] = short(*ms);
        }
        Line {
            name: called.clone(),
            colour: at + 1,
            values,
            ..Line::default()
        }
    });
    Plot {
        title: name.to_owned(),
        x: Across::Time,
        xs: (0..=last).map(|column| column as f64 * step_s).collect(),
        unit: "ms".to_owned(),
        lines: lines.collect(),
        ..Plot::default()
    }
    .unless_empty()
}
