//! The run at a glance, and its options in full.

use octavo_figures::run::Run;

use crate::document::{Block, Cell, Section, Table, Tile, Tone};
use crate::number::{counted, fixed, length, share, time, whole};
use crate::report::Report;

/// The Apdex from which JMeter's scale calls a server good, and below which poor.
const APDEX_GOOD: f64 = 0.94;
const APDEX_POOR: f64 = 0.7;

/// What was done, and the most requested figures.
pub(super) fn overview(run: &Run) -> Section {
    let mut section = Section::new("overview", "Overview");
    let facts = &run.facts;
    let load = match run.is_open() {
        true => "Iterations were due whether the server kept up or not",
        false => "Each virtual user sent when its last answer was there",
    };
    section.paragraph(format!(
        "The workload {} ran against {} (tenant {}) for {} with {}. {load} ({}). Think times: {}.",
        facts.workload,
        facts.server,
        facts.tenant,
        length(facts.duration_s),
        counted(facts.virtual_users as u64, "virtual user"),
        facts.arrival,
        facts.think_time,
    ));
    section.blocks.push(Block::Tiles(tiles(run)));
    for note in &run.notes {
        section.note(note.clone());
    }
    section
}

fn tiles(run: &Run) -> Vec<Tile> {
    let totals = &run.totals;
    let tile = |name: &str, value: String, remark: String, tone: Tone| Tile {
        name: name.to_owned(),
        value,
        remark,
        tone,
    };
    let mut tiles = vec![
        tile(
            "Throughput",
            format!("{} /s", fixed(totals.requests_per_s, 1)),
            format!("{} in all", counted(totals.requests, "request")),
            Tone::Plain,
        ),
        tile(
            "Iterations",
            format!("{} /s", fixed(totals.iterations_per_s, 2)),
            format!("{} in all", whole(totals.iterations)),
            Tone::Plain,
        ),
        tile(
            "Errors",
            share(totals.errors, totals.requests),
            format!("{} of {}", whole(totals.errors), whole(totals.requests)),
            match totals.errors {
                0 => Tone::Good,
                _ => Tone::Bad,
            },
        ),
    ];
    let transactions = || {
        let all = run.all().filter(|(_, transaction, _)| *transaction);
        all.map(|(name, _, figures)| (name, figures.experienced()))
            .filter(|(_, figures)| figures.samples > 0)
    };
    if let Some((name, slowest)) = transactions().max_by(|a, b| a.1.p95_ms.total_cmp(&b.1.p95_ms)) {
        tiles.push(tile(
            "95th percentile",
            time(slowest.p95_ms),
            name.to_owned(),
            Tone::Plain,
        ));
    }
    let samples: u64 = transactions().map(|(_, figures)| figures.samples).sum();
    if samples > 0 {
        let satisfied: f64 = transactions()
            .map(|(_, figures)| figures.apdex * figures.samples as f64)
            .sum();
        let apdex = satisfied / samples as f64;
        tiles.push(tile(
            "Apdex",
            fixed(apdex, 2),
            "satisfied up to 0.5 s, bearing up to 1.5 s".to_owned(),
            match apdex {
                good if good >= APDEX_GOOD => Tone::Good,
                poor if poor < APDEX_POOR => Tone::Bad,
                _ => Tone::Plain,
            },
        ));
    }
    tiles.push(tile(
        "Received",
        crate::number::bytes(totals.received_bytes as f64),
        format!(
            "{} a second",
            crate::number::bytes(totals.received_bytes as f64 / run.measured_s.max(1e-9))
        ),
        Tone::Plain,
    ));
    tiles
}

/// The run and those that it is compared with.
pub(super) fn test_runs(report: &Report<'_>) -> Section {
    let mut section = Section::new("test-runs", "Test runs");
    let others = report.others.iter().copied();
    let runs: Vec<&Run> = std::iter::once(report.run).chain(others).collect();
    section.table(runs_table(
        "The run, and those that it is compared with",
        &runs,
    ));
    let run = report.run;
    let facts = &run.facts;
    let mut table = Table::new("This run in full", &["what", "value"]);
    let mut row = |what: &str, value: String| table.row(vec![Cell::new(what), Cell::new(value)]);
    row(
        "begun",
        facts
            .started_at
            .strftime("%Y-%m-%d %H:%M:%S UTC")
            .to_string(),
    );
    row("requested", length(facts.duration_s));
    row("ramp-up", length(facts.ramp_up_s));
    row("warm-up", length(facts.warm_up_s));
    row("in the figures", length(run.measured_s));
    let weights = facts.distribution.iter();
    let weights: Vec<_> = weights
        .map(|(name, weight)| format!("{name} {weight}"))
        .collect();
    if !weights.is_empty() {
        row("branches by weight", weights.join(", "));
    }
    row("seed", facts.seed.to_string());
    let totals = &run.totals;
    if totals.iterations_cut_short > 0 {
        row(
            "iterations that the end cut short",
            format!(
                "{}; they are not counted",
                whole(totals.iterations_cut_short)
            ),
        );
    }
    if totals.warm_up_requests > 0 {
        row(
            "requests of ramp-up and warm-up",
            format!(
                "{}, {}; they are in no figure",
                whole(totals.warm_up_requests),
                counted(totals.warm_up_errors, "error")
            ),
        );
    }
    if run.tokens_renewed > 0 {
        row(
            "logins again after a refused token",
            whole(run.tokens_renewed),
        );
    }
    if run.waits > 0 {
        row("waits for test data", whole(run.waits));
    }
    for one in &run.substitutions {
        row(
            "another branch taken",
            format!(
                "{} times, as {} was due but {} was empty",
                whole(one.count),
                one.branch,
                one.feeder
            ),
        );
    }
    if let Some(open) = &run.generator.open {
        row(
            "iterations due",
            format!(
                "{}; {} while every user was busy, {} not begun before the end",
                whole(open.due),
                whole(open.overdue),
                whole(open.not_begun)
            ),
        );
        row("lateness of free users (p99)", time(open.lateness.p99_ms));
    }
    section.table(table);
    section
}

/// Runs, one a row.
pub(crate) fn runs_table(caption: &str, runs: &[&Run]) -> Table {
    let mut table = Table::new(
        caption,
        &[
            "run",
            "begun (UTC)",
            "workload",
            "load",
            "#virtual users",
            "#ramp-up",
            "#duration",
            "think time",
            "#requests",
            "#requests/s",
            "#errors",
            "generator",
        ],
    );
    for run in runs {
        let facts = &run.facts;
        let used = run.generator.processor_share;
        let used = used.map_or(String::new(), |share| {
            format!(", {} % of their time", fixed(share * 100.0, 0))
        });
        let processes = match facts.generators {
            1 => String::new(),
            many => format!("{many} processes, "),
        };
        table.row(vec![
            Cell::new(facts.called()),
            Cell::new(facts.started_at.strftime("%Y-%m-%d %H:%M").to_string()),
            Cell::new(facts.workload.clone()),
            Cell::new(facts.arrival.clone()),
            Cell::new(whole(facts.virtual_users as u64)),
            Cell::new(length(facts.ramp_up_s)),
            Cell::new(length(facts.duration_s)),
            Cell::new(facts.think_time.clone()),
            Cell::new(whole(run.totals.requests)),
            Cell::new(fixed(run.totals.requests_per_s, 1)),
            Cell::new(share(run.totals.errors, run.totals.requests)),
            Cell::new(format!(
                "{processes}{}{used}",
                counted(facts.threads as u64, "thread")
            )),
        ]);
    }
    table
}
