//! Response times: by transaction, by request, by stage; the server's own durations; plots.

use octavo_figures::run::{Figures, Run, ServerTiming};
use octavo_figures::{Series, Statistics};

use super::transactions;
use crate::document::{Cell, Section, Table};
use crate::number::{decimals, fixed, share, whole};
use crate::plot::{self, Form, TRANSACTIONS_MAX};

/// The most labels in the table of the server's own durations.
const LABELS_MAX: usize = 25;

/// What a time is measured from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    Sent,
    Due,
}

const DUE: &str = "These times count from when an iteration was due: what had to wait behind a slow \
answer waited for the server, and its patron with it. They are what a patron experienced.";
const SENT: &str = "These times count from when a request was sent to the last byte of its answer, as \
closed loops have it. They leave out the time that a request would have waited for its turn, and look \
better the more there was of it; lay them beside other closed loops only.";
const CLOSED: &str = "Times count from when a request was sent to the last byte of its answer. In a \
closed loop a stall of the server delays the next request instead of being measured by it: read high \
percentiles as the least that they were.";

pub(super) fn times(run: &Run) -> Vec<Section> {
    let mut section = Section::new("response-times", "Response times");
    match run.is_open() {
        true => {
            section.heading("From when it was due");
            section.note(DUE);
            tables(run, From::Due, &mut section);
            section.heading("From when it was sent");
            section.note(SENT);
            tables(run, From::Sent, &mut section);
        }
        false => {
            section.note(CLOSED);
            tables(run, From::Sent, &mut section);
        }
    }
    section.note(
        "Times in milliseconds. Below a figure stands where it would lie in 95 of 100 such runs. \
         Apdex: the share of samples up to 500 ms and half of those up to 1,500 ms.",
    );
    by_stage(run, &mut section);
    let mut sections = vec![section, over_time(run)];
    if !run.server_timing.is_empty() {
        sections.push(server_timing(run));
    }
    sections
}

type Named<'r> = (&'r str, bool, &'r Figures);

fn tables(run: &Run, from: From, section: &mut Section) {
    let measured = |(.., figures): &Named<'_>| figures.statistics.samples > 0;
    let sums: Vec<Named<'_>> = run.all().filter(|one| one.1).filter(measured).collect();
    section.table(times_table("By transaction", &sums, from, run.measured_s));
    let requests: Vec<Named<'_>> = run.all().filter(|one| !one.1).filter(measured).collect();
    section.table(times_table("By request", &requests, from, run.measured_s));
}

fn columns(first: &str, from: From) -> Table {
    let mut columns = vec![
        first,
        "#samples",
        "#errors",
        "#error %",
        "#average",
        "#min",
        "#p50",
        "#p75",
        "#p90",
        "#p95",
        "#p99",
        "#p99.9",
        "#max",
        "#deviation",
        "#per s",
    ];
    if from == From::Sent {
        columns.extend(["#received kB/s", "#sent kB/s"]);
    }
    columns.push("#Apdex");
    Table::new("", &columns)
}

fn times_table(caption: &str, all: &[Named<'_>], from: From, measured_s: f64) -> Table {
    let first = if caption == "By request" {
        "request"
    } else {
        "transaction"
    };
    let mut table = columns(first, from);
    caption.clone_into(&mut table.caption);
    let digits = digits(all.iter().map(|(.., figures)| times_of(figures, from).0));
    for (name, _, figures) in all {
        table.row(row(name, figures, from, digits, measured_s));
    }
    table
}

/// As many decimals as the smallest average needs.
fn digits<'s>(all: impl Iterator<Item = &'s Statistics>) -> usize {
    let averages = all.map(|one| one.average_ms).filter(|ms| *ms > 0.0);
    decimals(averages.fold(f64::INFINITY, f64::min))
}

fn times_of(figures: &Figures, from: From) -> (&Statistics, &Series) {
    match from {
        From::Due => (figures.experienced(), figures.experienced_series()),
        From::Sent => (&figures.statistics, &figures.series),
    }
}

fn row(name: &str, figures: &Figures, from: From, digits: usize, measured_s: f64) -> Vec<Cell> {
    let (times, series) = times_of(figures, from);
    let number = |value: f64| Cell::new(fixed(value, digits));
    let between = |interval: [f64; 2]| interval_text(interval, digits);
    let percentile = |value: f64, percent: f64| {
        let small = match series.is_empty() {
            true => String::new(),
            false => between(series.interval_ms(percent)),
        };
        number(value).with(small)
    };
    let known = |value: f64, interval: [f64; 2]| match interval {
        [0.0, 0.0] => number(value),
        _ => number(value).with(between(interval)),
    };
    let mut cells = vec![
        Cell::new(name),
        Cell::new(whole(times.samples)),
        Cell::new(whole(times.errors)).toned(super::toned(times.errors)),
        Cell::new(share(times.errors, times.samples)),
        number(times.average_ms).with(between(times.average_interval_ms())),
        number(times.minimum_ms),
        known(times.p50_ms, times.p50_interval_ms),
        percentile(times.p75_ms, 75.0),
        percentile(times.p90_ms, 90.0),
        known(times.p95_ms, times.p95_interval_ms),
        known(times.p99_ms, times.p99_interval_ms),
        percentile(times.p99_9_ms, 99.9),
        number(times.maximum_ms),
        number(times.deviation_ms),
        Cell::new(fixed(times.samples as f64 / measured_s.max(1e-9), 2)),
    ];
    if from == From::Sent {
        for bytes in [figures.received_bytes, figures.sent_bytes] {
            let per_s = bytes as f64 / 1000.0 / measured_s.max(1e-9);
            cells.push(Cell::new(fixed(per_s, 1)));
        }
    }
    cells.push(Cell::new(fixed(times.apdex, 2)));
    cells
}

fn interval_text([low, high]: [f64; 2], digits: usize) -> String {
    format!("{}–{}", fixed(low.max(0.0), digits), fixed(high, digits))
}

fn by_stage(run: &Run, section: &mut Section) {
    if run.stages.is_empty() {
        return;
    }
    section.heading("By stage");
    let mut stages = Table::new(
        "Load of the stages",
        &[
            "stage",
            "load",
            "#from",
            "#in the figures",
            "#requests",
            "#requests/s",
            "#errors",
        ],
    );
    for stage in &run.stages {
        stages.row(vec![
            Cell::new(stage.name.clone()),
            Cell::new(stage.load.clone()),
            Cell::new(crate::number::moment(stage.from_s)),
            Cell::new(crate::number::length(stage.measured_s)),
            Cell::new(whole(stage.requests)),
            Cell::new(fixed(stage.requests as f64 / stage.measured_s.max(1e-9), 1)),
            Cell::new(whole(stage.errors)).toned(super::toned(stage.errors)),
        ]);
    }
    section.table(stages);
    let models = match run.is_open() {
        true => &[
            (From::Due, "By stage, from when it was due"),
            (From::Sent, "By stage, from when it was sent"),
        ][..],
        false => &[(From::Sent, "Transactions by stage")][..],
    };
    for (from, caption) in models {
        let mut table = columns("stage and transaction", *from);
        (*caption).clone_into(&mut table.caption);
        let sums = run.stages.iter().flat_map(|stage| {
            let sums = stage.all().filter(|one| one.1);
            sums.map(|(.., figures)| times_of(figures, *from).0)
        });
        let digits = digits(sums);
        for stage in &run.stages {
            for (name, _, figures) in stage.all().filter(|one| one.1) {
                let name = format!("{} · {name}", stage.name);
                table.row(row(&name, figures, *from, digits, stage.measured_s));
            }
        }
        section.table(table);
    }
}

fn over_time(run: &Run) -> Section {
    let mut section = Section::new("over-time", "Response times and load over time");
    if run.timeline.steps.is_empty() {
        section.note("The run's record has no timeline.");
        return section;
    }
    let step = crate::number::length(run.timeline.step_s);
    let experienced = match run.is_open() {
        true => " Times count from when an iteration was due.",
        false => "",
    };
    section.note(format!(
        "Each point is {step} of the run.{experienced} Drag to look closer, double-click to see all again, \
         click a name to hide or show it."
    ));
    let names: Vec<(usize, &str)> = transactions(run).collect();
    section.plots(
        names
            .iter()
            .take(TRANSACTIONS_MAX)
            .map(|(number, _)| plot::transaction(run, *number)),
    );
    if names.len() > TRANSACTIONS_MAX {
        section.note(format!(
            "{} more transactions have no plot; the tables have them.",
            names.len() - TRANSACTIONS_MAX
        ));
    }
    section.plots([
        plot::requests(run),
        plot::users(run),
        plot::bytes(run),
        plot::slowest_requests(run),
        plot::heat_map(run),
    ]);
    section.heading("How times are distributed");
    let sums: Vec<Named<'_>> = run
        .all()
        .filter(|one| one.1)
        .take(TRANSACTIONS_MAX)
        .collect();
    let curves = sums.iter().map(|(name, _, figures)| {
        let sent = (
            "from when it was sent".to_owned(),
            &figures.series,
            Form::Plain,
            1,
        );
        let mut series = vec![sent];
        if let Some(intended) = &figures.intended_series {
            series.insert(
                0,
                ("from when it was due".to_owned(), intended, Form::Plain, 2),
            );
        }
        plot::curves(&format!("{name}: percentiles"), &series)
    });
    section.plots(curves);
    let all: Vec<(String, &Series)> = sums
        .iter()
        .map(|(name, _, figures)| ((*name).to_owned(), figures.experienced_series()))
        .collect();
    section.plots([plot::distribution(
        "Share of transactions by their time",
        &all,
    )]);
    section
}

fn server_timing(run: &Run) -> Section {
    let mut section = Section::new("server-timing", "Where the server's time went");
    section.note(
        "What the server reported in Server-Timing, over all responses that have it. Times in ms.",
    );
    let requests_ms: f64 = run
        .all()
        .filter(|(_, transaction, _)| !transaction)
        .map(|(.., figures)| figures.statistics.average_ms * figures.statistics.samples as f64)
        .sum();
    let mut table = Table::new(
        "By stage of an answer",
        &[
            "stage",
            "#answers",
            "#average",
            "#p50",
            "#p95",
            "#p99",
            "#max",
            "#share of requests' time",
        ],
    );
    for one in &run.server_timing {
        let figures = one.series.statistics();
        let times = [
            figures.average_ms,
            figures.p50_ms,
            figures.p95_ms,
            figures.p99_ms,
            figures.maximum_ms,
        ];
        let mut cells = vec![
            Cell::new(one.stage.clone()),
            Cell::new(whole(figures.samples)),
        ];
        cells.extend(times.map(|ms| Cell::new(fixed(ms, 2))));
        let part = 100.0 * one.series.sum_ms() / requests_ms.max(1e-9);
        cells.push(Cell::new(format!("{} %", fixed(part, 1))));
        table.row(cells);
    }
    section.table(table);
    section.table(timing_by_label(&run.server_timing));
    section
}

/// Labels down, stages across, the longest first.
fn timing_by_label(stages: &[ServerTiming]) -> Table {
    let titles: Vec<String> = stages.iter().map(|one| format!("#{}", one.stage)).collect();
    let titles = std::iter::once("request").chain(titles.iter().map(String::as_str));
    let mut table = Table::new("Average by request", &titles.collect::<Vec<_>>());
    let mut labels: Vec<(&str, f64)> = Vec::new();
    for (label, count, mean) in stages.iter().flat_map(|one| &one.by_label) {
        let sum = *count as f64 * mean;
        match labels.iter_mut().find(|(known, _)| known == label) {
            Some((_, total)) => *total += sum,
            None => labels.push((label, sum)),
        }
    }
    labels.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (label, _) in labels.iter().take(LABELS_MAX) {
        let own = stages.iter().map(|stage| {
            let mut by_label = stage.by_label.iter();
            let mean = by_label.find(|(known, ..)| known == label);
            Cell::new(mean.map_or(String::new(), |(.., mean)| fixed(*mean, 2)))
        });
        table.row(std::iter::once(Cell::new(*label)).chain(own).collect());
    }
    table
}
