//! Plots of a run over time: percentiles, requests, users.

use octavo_figures::run::{Run, Step};

use super::{Across, Form, Line, Mark, Plot, short};

/// How many requests the plot of the slowest ones has.
const SLOWEST: usize = 6;

/// The percentiles of a transaction, by its number in the workload.
pub(crate) fn transaction(run: &Run, number: usize) -> Option<Plot> {
    let name = &run.transactions.get(number)?.name;
    let figures: Vec<Option<[f64; 4]>> = run
        .timeline
        .steps
        .iter()
        .map(|step| {
            let series = step.transactions.get(number)?;
            let figures = (!series.is_empty()).then(|| series.statistics())?;
            let maximum = figures.maximum_ms;
            Some([figures.p50_ms, figures.p95_ms, figures.p99_ms, maximum])
        })
        .collect();
    let line = |at: usize, name: &str, colour: usize| Line {
        name: name.to_owned(),
        colour,
        hidden: name == "max",
        values: figures.iter().map(|one| short((*one)?[at])).collect(),
        ..Line::default()
    };
    let lines = vec![
        line(0, "p50", 1),
        line(1, "p95", 2),
        line(2, "p99", 3),
        line(3, "max", 0),
    ];
    over_time(run, name, "ms", lines).unless_empty()
}

/// Requests and errors a second.
pub(crate) fn requests(run: &Run) -> Option<Plot> {
    let lines = vec![
        Line {
            name: "requests".to_owned(),
            colour: 1,
            form: Form::Filled,
            values: per_second(run, |step| step.requests as f64),
            ..Line::default()
        },
        Line {
            name: "errors".to_owned(),
            colour: 6,
            values: per_second(run, |step| step.errors as f64),
            ..Line::default()
        },
    ];
    over_time(run, "Requests and errors a second", "per s", lines).unless_empty()
}

/// Virtual users, and the rate in the open model.
pub(crate) fn users(run: &Run) -> Option<Plot> {
    let steps = &run.timeline.steps;
    let mut lines = vec![Line {
        name: "virtual users".to_owned(),
        colour: 4,
        values: steps.iter().map(|step| short(step.users as f64)).collect(),
        ..Line::default()
    }];
    let mut plot_unit = "";
    if steps.iter().any(|step| step.rate.is_some()) {
        plot_unit = "iterations due per s";
        lines.push(Line {
            name: "rate".to_owned(),
            colour: 2,
            right: true,
            values: steps.iter().map(|step| short(step.rate?)).collect(),
            ..Line::default()
        });
    }
    let title = match plot_unit {
        "" => "Virtual users",
        _ => "Virtual users at work, and the rate",
    };
    let mut plot = over_time(run, title, "users", lines);
    plot.unit_right = plot_unit.to_owned();
    plot.unless_empty()
}

/// Bytes received a second.
pub(crate) fn bytes(run: &Run) -> Option<Plot> {
    let line = Line {
        name: "received".to_owned(),
        colour: 3,
        form: Form::Filled,
        values: per_second(run, |step| step.received_bytes as f64 / 1e6),
        ..Line::default()
    };
    over_time(run, "Received", "MB/s", vec![line]).unless_empty()
}

/// The average times of the requests that are slowest on average.
pub(crate) fn slowest_requests(run: &Run) -> Option<Plot> {
    let labels = run.all().filter(|(_, transaction, _)| !transaction);
    let mut labels: Vec<(usize, &str, f64)> = labels
        .enumerate()
        .map(|(number, (name, _, figures))| (number, name, figures.statistics.average_ms))
        .collect();
    labels.sort_by(|a, b| b.2.total_cmp(&a.2));
    let lines = labels.iter().take(SLOWEST).enumerate();
    let lines = lines.map(|(at, (number, name, _))| Line {
        name: (*name).to_owned(),
        colour: at + 1,
        values: run
            .timeline
            .steps
            .iter()
            .map(|step| {
                let mut labels = step.requests_by_label.iter();
                let (_, samples, sum_ms) = labels.find(|(label, ..)| label == number)?;
                short(sum_ms / (*samples).max(1) as f64)
            })
            .collect(),
        ..Line::default()
    });
    let title = "Average of the slowest requests";
    over_time(run, title, "ms", lines.collect()).unless_empty()
}

/// A plot over the steps of a run, with its warm-up and stages marked.
pub(crate) fn over_time(run: &Run, title: &str, unit: &str, lines: Vec<Line>) -> Plot {
    Plot {
        title: title.to_owned(),
        x: Across::Time,
        xs: run.timeline.steps.iter().map(|step| step.at_s).collect(),
        unit: unit.to_owned(),
        lines,
        marks: marks(run),
        ..Plot::default()
    }
}

/// The end of the warm-up, and the beginnings of stages.
pub(crate) fn marks(run: &Run) -> Vec<Mark> {
    let facts = &run.facts;
    let mut marks = Vec::new();
    let mut mark = |at: f64, text: &str| {
        marks.push(Mark {
            at,
            text: text.to_owned(),
        });
    };
    match (facts.ramp_up_s, facts.warm_up_s) {
        (ramp_up, warm_up) if warm_up > 0.0 => mark(ramp_up + warm_up, "warm"),
        (ramp_up, _) if ramp_up > 0.0 => mark(ramp_up, "ramp-up"),
        _ => {}
    }
    for stage in &run.stages {
        mark(stage.from_s, &stage.name);
    }
    marks
}

fn per_second(run: &Run, of: impl Fn(&Step) -> f64) -> Vec<Option<f64>> {
    let steps = run.timeline.steps.iter();
    steps
        .map(|step| (step.seconds > 0.0).then(|| of(step) / step.seconds))
        .map(|value| value.and_then(short))
        .collect()
}
