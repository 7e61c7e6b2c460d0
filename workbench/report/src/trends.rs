//! A history of runs: the change of each transaction's times from one release to the next. Runs of
//! other workloads or another load are separate, since their times cannot be compared.

use octavo_figures::compare::{Change, Measured, of_runs};
use octavo_figures::run::Run;
use octavo_figures::{Slope, Trend};

use crate::bullets::{compared, named};
use crate::document::{Bullet, Cell, Document, Section, Table, Tone};
use crate::number::{change, decimals, fixed, share, signed, time};
use crate::plot::{Across, Form, Line, Plot, TRANSACTIONS_MAX, short};
use crate::report::Comparison;
use crate::section::{EXPLAINED, transactions};
use crate::side_by_side::tone;
use crate::{html, markdown};

/// The figures that have a trend.
const STATISTICS: [&str; 2] = ["p50", "p95"];

/// Trends over a history as one HTML file.
pub fn html_trends(history: &[Run]) -> String {
    html::page(&document(history))
}

/// Trends over a history as Markdown.
pub fn markdown_trends(history: &[Run]) -> String {
    markdown::page(&document(history))
}

fn document(history: &[Run]) -> Document {
    let mut runs: Vec<&Run> = history.iter().collect();
    runs.sort_by_key(|run| run.facts.started_at);
    let mut groups: Vec<(String, Vec<&Run>)> = Vec::new();
    for run in &runs {
        let load = alike(run);
        match groups.iter_mut().find(|(known, _)| *known == load) {
            Some((_, own)) => own.push(run),
            None => groups.push((load, vec![run])),
        }
    }
    let sections = groups.iter().enumerate();
    let sections = sections.map(|(at, (load, own))| group(at, load, own));
    let span = match (runs.first(), runs.last()) {
        (Some(first), Some(last)) => format!(
            "{} runs from {} to {}",
            runs.len(),
            first.facts.started_at.strftime("%Y-%m-%d"),
            last.facts.started_at.strftime("%Y-%m-%d")
        ),
        _ => "There are no runs in the history.".to_owned(),
    };
    Document {
        title: "Trends over releases".to_owned(),
        subtitle: span,
        sections: sections.collect(),
    }
}

/// What runs must have in common for their times to be comparable.
fn alike(run: &Run) -> String {
    let facts = &run.facts;
    format!(
        "{}: {}, {} virtual users, think time {}",
        facts.workload, facts.arrival, facts.virtual_users, facts.think_time
    )
}

fn group(at: usize, load: &str, runs: &[&Run]) -> Section {
    let mut section = Section::new(&format!("trend-{}", at + 1), load);
    let measured: Vec<Measured> = runs.iter().map(|run| Measured::from(*run)).collect();
    // Each run compared with the one before it.
    let changes: Vec<Vec<Change>> = measured
        .windows(2)
        .map(|pair| of_runs(&pair[0], &pair[1]))
        .collect();
    let mut names: Vec<&str> = Vec::new();
    for (_, name) in runs.iter().flat_map(|run| transactions(run)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let slopes: Vec<(&str, &str, Slope)> = names
        .iter()
        .flat_map(|name| STATISTICS.map(|statistic| (*name, statistic)))
        .filter_map(|(name, statistic)| {
            let points: Vec<(f64, f64)> = measured
                .iter()
                .enumerate()
                .filter_map(|(at, run)| {
                    let entry = run.named(name).filter(|one| one.statistics.samples > 0)?;
                    Some((at as f64, entry.statistics.by_name(statistic)?))
                })
                .collect();
            Some((name, statistic, Slope::through(&points)?))
        })
        .collect();
    section.bullets(bullets(&measured, &changes, &slopes));
    if runs.len() > 1 {
        section.note(EXPLAINED);
    }
    section.table(history(runs, &names, &measured, &changes));
    section.table(slope_table(&slopes));
    section.plots(STATISTICS.map(|statistic| plot(statistic, &names, &measured)));
    if runs.len() < 3 {
        section.note("From three runs on there are slopes.");
    }
    section
}

fn bullets(
    measured: &[Measured],
    changes: &[Vec<Change>],
    slopes: &[(&str, &str, Slope)],
) -> Vec<Bullet> {
    let mut all = Vec::new();
    if let ([.., before, last], Some(changes)) = (measured, changes.last()) {
        let comparison = Comparison {
            before: before.called.clone(),
            source: None,
            unlike: Vec::new(),
            changes: changes.clone(),
        };
        compared(&comparison, &mut all);
        for bullet in &mut all {
            bullet.text = format!("{}: {}", last.called, bullet.text);
        }
    }
    for (name, statistic, slope) in slopes {
        let text = |verb: &str| {
            format!(
                "Over {} runs the {} of {name} {verb} by {} a run.",
                slope.points,
                named(statistic),
                time(slope.slope.abs())
            )
        };
        match slope.trend() {
            Trend::Grows => all.push(Bullet::bad(text("grew"))),
            Trend::Shrinks => all.push(Bullet::good(text("fell"))),
            Trend::Steady => {}
        }
    }
    all
}

fn history(runs: &[&Run], names: &[&str], measured: &[Measured], changes: &[Vec<Change>]) -> Table {
    let titles: Vec<String> = names
        .iter()
        .flat_map(|name| STATISTICS.map(|statistic| format!("#{name} {statistic}")))
        .collect();
    let mut columns = vec!["run", "begun (UTC)", "server", "#requests/s", "#errors"];
    columns.extend(titles.iter().map(String::as_str));
    let mut table = Table::new(
        "Runs in order of time, in ms; changes against the run before",
        &columns,
    );
    for (at, (run, measured)) in runs.iter().zip(measured).enumerate() {
        let mut cells = vec![
            Cell::new(run.facts.called()),
            Cell::new(run.facts.started_at.strftime("%Y-%m-%d %H:%M").to_string()),
            Cell::new(run.facts.server.clone()),
            Cell::new(fixed(run.totals.requests_per_s, 1)),
            Cell::new(share(run.totals.errors, run.totals.requests)),
        ];
        for name in names {
            let entry = measured
                .named(name)
                .filter(|one| one.statistics.samples > 0);
            for statistic in STATISTICS {
                let value = entry.and_then(|one| one.statistics.by_name(statistic));
                let Some(value) = value else {
                    cells.push(Cell::new("–"));
                    continue;
                };
                let same = |one: &&Change| one.name == *name && one.statistic == statistic;
                let before = at.checked_sub(1).and_then(|before| changes.get(before));
                let cell = Cell::new(fixed(value, decimals(value)));
                cells.push(match before.and_then(|all| all.iter().find(same)) {
                    Some(one) => cell.with(change(one.per_cent())).toned(tone(one)),
                    None => cell,
                });
            }
        }
        table.row(cells);
    }
    table
}

fn slope_table(slopes: &[(&str, &str, Slope)]) -> Table {
    let mut table = Table::new(
        "Slopes over the runs",
        &[
            "transaction",
            "figure",
            "#runs",
            "#mean ms",
            "#ms a run",
            "#95 % sure",
            "#first to last",
            "verdict",
        ],
    );
    for (name, statistic, slope) in slopes {
        let digits = decimals(slope.mean.abs()).max(1);
        let (verdict, tone) = match slope.trend() {
            Trend::Grows => ("grows", Tone::Bad),
            Trend::Shrinks => ("shrinks", Tone::Good),
            Trend::Steady => ("steady", Tone::Plain),
        };
        let [low, high] = slope.interval;
        table.row(vec![
            Cell::new(*name),
            Cell::new(*statistic),
            Cell::new(slope.points.to_string()),
            Cell::new(fixed(slope.mean, digits)),
            Cell::new(signed(slope.slope, digits)),
            Cell::new(format!(
                "{} … {}",
                signed(low, digits),
                signed(high, digits)
            )),
            Cell::new(change(100.0 * slope.rise / slope.mean.abs().max(1e-9))),
            Cell::new(verdict).toned(tone),
        ]);
    }
    table
}

fn plot(statistic: &str, names: &[&str], measured: &[Measured]) -> Option<Plot> {
    let lines = names.iter().take(TRANSACTIONS_MAX).enumerate();
    let lines = lines.map(|(at, name)| Line {
        name: (*name).to_owned(),
        colour: at + 1,
        form: Form::Points,
        values: measured
            .iter()
            .map(|run| short(run.named(name)?.statistics.by_name(statistic)?))
            .collect(),
        ..Line::default()
    });
    Plot {
        title: format!("The {} over the runs", named(statistic)),
        x: Across::Names,
        xs: (0..measured.len()).map(|at| at as f64).collect(),
        names: measured.iter().map(|run| run.called.clone()).collect(),
        unit: "ms".to_owned(),
        lines: lines.collect(),
        ..Plot::default()
    }
    .unless_empty()
}
