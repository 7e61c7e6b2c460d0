//! The report on the terminal: a table by transaction and request, sums below it, then the errors
//! with the first body of each kind.

use std::fmt::Write;

use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};

use octavo_figures::Statistics;
use octavo_figures::run::{FailureSummary, Figures, Run, StageSummary};

/// The most kinds of errors; the JSON summary has all.
const FAILURES_SHOWN: usize = 10;

/// The whole report.
pub fn table(run: &Run) -> String {
    let mut text = format!("\n{}\n", title(run));
    if run.generator.open.is_some() {
        let _ = writeln!(text, "{}\n\n{OPEN}", figures(run.all(), From::Due));
        let _ = writeln!(text, "\n{}", figures(run.all(), From::Sent));
    } else {
        let _ = writeln!(text, "{}", figures(run.all(), From::Sent));
    }
    for stage in &run.stages {
        let _ = writeln!(text, "{}", of_stage(stage));
    }
    let totals = &run.totals;
    // Writing into a string cannot fail, here and below.
    let _ = writeln!(
        text,
        "{} requests in {:.1} s: {:.1} requests/s, {:.2} iterations/s, {} errors, {:.1} MB received",
        totals.requests,
        run.measured_s,
        totals.requests_per_s,
        totals.iterations_per_s,
        totals.errors,
        totals.received_bytes as f64 / 1e6,
    );
    if totals.iterations_cut_short > 0 {
        let cut = totals.iterations_cut_short;
        let _ = writeln!(
            text,
            "The end of the run cut {cut} iterations short; they are not counted."
        );
    }
    for one in &run.substitutions {
        let _ = writeln!(
            text,
            "Note: {} times {} was due but {} was empty, and another branch was taken.",
            one.count, one.branch, one.feeder
        );
    }
    if run.waits > 0 {
        let _ = writeln!(
            text,
            "Note: {} times a user waited for test data.",
            run.waits
        );
    }
    if totals.warm_up_requests > 0 {
        let _ = writeln!(
            text,
            "Ramp-up and warm-up: {} requests, {} errors; they are in no figure.",
            totals.warm_up_requests, totals.warm_up_errors
        );
    }
    if run.tokens_renewed > 0 {
        let times = if run.tokens_renewed == 1 {
            "time"
        } else {
            "times"
        };
        let _ = writeln!(
            text,
            "Note: {} {times} a token was refused and the user logged in again; the refused requests are not counted.",
            run.tokens_renewed
        );
    }
    for note in &run.notes {
        let _ = writeln!(text, "Note: {note}");
    }
    if let Some(why) = &run.ended_early {
        let _ = writeln!(text, "The run ended before its time: {why}");
    }
    if let Some(verdict) = &run.until {
        let _ = writeln!(text, "{}", verdict.sentence());
    }
    for note in run.generator.notes(run.facts.virtual_users) {
        let _ = writeln!(text, "Note: {note}");
    }
    failures(&run.failures, &mut text);
    text
}

fn title(run: &Run) -> String {
    let facts = &run.facts;
    format!(
        "{} at {}, tenant {}: {}, {} virtual users, ramp-up {} s, {} s, think time {}, seed {}",
        facts.workload,
        facts.server,
        facts.tenant,
        facts.arrival,
        facts.virtual_users,
        facts.ramp_up_s,
        facts.duration_s,
        facts.think_time,
        facts.seed
    )
}

/// The transactions of one stage, with the times that patrons experience.
fn of_stage(stage: &StageSummary) -> String {
    let per_s = stage.requests as f64 / stage.measured_s.max(1e-9);
    let transactions = stage.all().filter(|(_, transaction, _)| *transaction);
    let from = match stage
        .all()
        .any(|(_, _, figures)| figures.intended.is_some())
    {
        true => From::Due,
        false => From::Sent,
    };
    format!(
        "Stage {}: {}, from {:.0} s on: {} requests in {:.1} s ({per_s:.1}/s), {} errors\n{}",
        stage.name,
        stage.load,
        stage.from_s,
        stage.requests,
        stage.measured_s,
        stage.errors,
        figures(transactions, from)
    )
}

/// What a time is measured from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    /// When the request was sent.
    Sent,
    /// When the iteration was due.
    Due,
}

/// Explains why there are two tables.
const OPEN: &str = "The times above count from when an iteration was due: what had to wait behind a \
slow answer waited for the server, and its patron with it.\nThose below count from when a request \
was sent, as closed loops do: they leave the waiting out, and look better the more there was of it.";

fn figures<'r>(all: impl Iterator<Item = (&'r str, bool, &'r Figures)>, from: From) -> Table {
    let mut table = Table::new();
    table
        .load_style(UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Disabled);
    let columns = [
        "samples",
        "errors",
        "per s",
        "average",
        "p50",
        "p75",
        "p95",
        "95 % sure",
        "p99",
        "max",
        "apdex",
    ];
    let title = match from {
        From::Due => "ms from when it was due",
        From::Sent => "times in ms",
    };
    let header = std::iter::once(Cell::new(title)).chain(columns.map(right));
    table.set_header(header.collect::<Vec<_>>());
    // A workload may contain more than was run of it.
    let asked = all.filter(|(_, _, figures)| figures.statistics.samples > 0);
    for (name, transaction, figures) in asked {
        let name = match transaction {
            true => name.to_owned(),
            false => format!("  {name}"),
        };
        let times = match (&figures.intended, from) {
            (Some(intended), From::Due) => intended,
            _ => &figures.statistics,
        };
        table.add_row(row(&name, times, figures.per_s));
    }
    table
}

fn row(label: &str, figures: &Statistics, per_s: f64) -> Vec<Cell> {
    let time = |ms: f64| format!("{ms:.2}");
    let [low, high] = figures.p95_interval_ms;
    // Records of earlier programs have none.
    let interval = match high > 0.0 {
        true => format!("{low:.2}–{high:.2}"),
        false => String::new(),
    };
    let numbers = [
        figures.samples.to_string(),
        figures.errors.to_string(),
        format!("{per_s:.2}"),
        time(figures.average_ms),
        time(figures.p50_ms),
        time(figures.p75_ms),
        time(figures.p95_ms),
        interval,
        time(figures.p99_ms),
        time(figures.maximum_ms),
        format!("{:.2}", figures.apdex),
    ];
    std::iter::once(Cell::new(label))
        .chain(numbers.into_iter().map(right))
        .collect()
}

fn right(text: impl ToString) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

fn failures(failures: &[FailureSummary], text: &mut String) {
    let mut failures: Vec<_> = failures.iter().collect();
    failures.sort_by_key(|failure| std::cmp::Reverse(failure.count));
    for failure in failures.iter().take(FAILURES_SHOWN) {
        let _ = writeln!(
            text,
            "\n{} × {}: {}",
            failure.count, failure.label, failure.kind
        );
        if !failure.first_body.is_empty() {
            let _ = writeln!(text, "  first body (HTTP {}):", failure.first_status);
            for line in failure.first_body.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
    }
    if failures.len() > FAILURES_SHOWN {
        let more = failures.len() - FAILURES_SHOWN;
        let _ = writeln!(
            text,
            "\n{more} more kinds of errors are in the JSON summary (--json)."
        );
    }
}
