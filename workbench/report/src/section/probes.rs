//! Processors, memory and the database during the load.

use octavo_figures::run::{ProbedSeries, Run};

use crate::document::{Cell, Section, Table};
use crate::number::plain;
use crate::plot::{self, Plot};

/// PostgreSQL's measures, with a plot's title for each.
const DATABASE: [(&str, &str); 13] = [
    ("connections", "PostgreSQL: connections"),
    ("active", "PostgreSQL: connections at work"),
    (
        "idle-in-transaction",
        "PostgreSQL: idle within a transaction",
    ),
    ("locks-waiting", "PostgreSQL: waiting for locks"),
    ("transactions", "PostgreSQL: transactions"),
    ("deadlocks", "PostgreSQL: deadlocks"),
    ("cache-hits", "PostgreSQL: pages found in its cache"),
    ("blocks-read", "PostgreSQL: pages read from elsewhere"),
    ("wal", "PostgreSQL: write-ahead log"),
    ("temporary-files", "PostgreSQL: temporary files"),
    ("autovacuum", "PostgreSQL: autovacuum workers"),
    ("replica-lag", "PostgreSQL: lag of replicas in time"),
    ("replica-lag-bytes", "PostgreSQL: lag of replicas in data"),
];
/// The most plots of other measures; further ones are in the run's record.
const OTHERS_MAX: usize = 24;

/// How to get more.
pub(super) const PROCESSES: &str = "Not probed: give --probe-pid to see what processes need.";
pub(super) const POSTGRES: &str = "Not probed: give --probe-postgres to see what PostgreSQL does.";

pub(super) fn probes(run: &Run) -> Vec<Section> {
    let mut cpu = Section::new("cpu", "CPU");
    of_processes(run, "cpu", "CPU by process", &mut cpu);
    if let Some(share) = run.generator.processor_share {
        cpu.paragraph(format!(
            "The load generator's own threads worked {} % of their time.",
            plain(share * 100.0)
        ));
    }
    let mut memory = Section::new("memory", "Memory");
    of_processes(run, "memory", "Memory by process", &mut memory);
    let mut sections = vec![cpu, memory, database(run)];
    sections.extend(others(run));
    sections
}

fn of_processes(run: &Run, measure: &str, title: &str, section: &mut Section) {
    let own: Vec<&ProbedSeries> = measured(run, |one| one.measure == measure);
    if own.is_empty() {
        section.paragraph(PROCESSES);
        return;
    }
    section.table(ranges("Least, mean and most over the run", &own));
    section.plots([plot::of_measure(run, measure, title)]);
}

fn database(run: &Run) -> Section {
    let mut section = Section::new("database", "Database");
    let own = measured(run, |one| of_database(&one.measure));
    if own.is_empty() {
        section.paragraph(POSTGRES);
        return section;
    }
    section.table(ranges("Least, mean and most over the run", &own));
    let plots = DATABASE.iter();
    section.plots(plots.map(|(measure, title)| plot::of_measure(run, measure, title)));
    section
}

/// Metrics of other sources: one plot for each name.
fn others(run: &Run) -> Option<Section> {
    let known = |one: &ProbedSeries| {
        of_database(&one.measure) || matches!(one.measure.as_str(), "cpu" | "memory")
    };
    let own = measured(run, |one| !known(one));
    if own.is_empty() {
        return None;
    }
    let mut section = Section::new("metrics", "Other metrics");
    section.table(ranges("Least, mean and most over the run", &own));
    let mut names: Vec<(&str, &str)> = Vec::new();
    for one in &own {
        let name = (one.measure.as_str(), one.unit.as_str());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let plots = names.iter().take(OTHERS_MAX).map(|(measure, unit)| {
        let same = own.iter().copied();
        let same = same.filter(|one| one.measure == *measure && one.unit == *unit);
        plot::sources(run, measure, &same.collect::<Vec<_>>())
    });
    section.plots(plots.collect::<Vec<Option<Plot>>>());
    if names.len() > OTHERS_MAX {
        section.note(format!(
            "{} more have no plot; the run's record has them.",
            names.len() - OTHERS_MAX
        ));
    }
    Some(section)
}

fn of_database(measure: &str) -> bool {
    DATABASE.iter().any(|(known, _)| *known == measure)
}

fn measured(run: &Run, wanted: impl Fn(&ProbedSeries) -> bool) -> Vec<&ProbedSeries> {
    let all = run.probed.series.iter();
    all.filter(|one| wanted(one) && !one.points.is_empty())
        .collect()
}

fn ranges(caption: &str, all: &[&ProbedSeries]) -> Table {
    let mut table = Table::new(
        caption,
        &[
            "of",
            "what",
            "unit",
            "#least",
            "#mean",
            "#most",
            "#at the end",
        ],
    );
    for one in all {
        let Some((least, mean, most)) = one.range() else {
            continue;
        };
        let last = one.points.last().map_or(0.0, |(_, value)| *value);
        let mut cells = vec![
            Cell::new(one.source.clone()),
            Cell::new(one.measure.clone()),
            Cell::new(one.unit.clone()),
        ];
        cells.extend([least, mean, most, last].map(|value| Cell::new(plain(value))));
        table.row(cells);
    }
    table
}

/// How many processors the server's machine has, if the infrastructure has the number.
pub(crate) fn processors(run: &Run) -> Option<f64> {
    let named = run.probed.infrastructure.iter();
    let mut named = named.filter(|(name, _)| {
        let name = name.to_lowercase();
        ["processors", "cpus", "cores"]
            .iter()
            .any(|known| name.ends_with(known))
    });
    let (_, value) = named.next()?;
    let number: String = value
        .chars()
        .take_while(|letter| letter.is_ascii_digit() || *letter == '.')
        .collect();
    number.parse().ok().filter(|number| *number > 0.0)
}
