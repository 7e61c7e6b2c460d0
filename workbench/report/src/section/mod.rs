//! The sections of a report, in the order of FOLIO's performance team.

mod changes;
mod errors;
mod infrastructure;
mod longevity;
mod overview;
mod probes;
mod rounds;
mod statements;
mod times;
mod worst;

use octavo_figures::run::Run;

use crate::document::{Document, Section};
use crate::number::length;
use crate::report::{Analysis, Report};

pub(crate) use changes::{EXPLAINED, toned};
pub(crate) use overview::runs_table;
pub(crate) use probes::processors;
pub(crate) use worst::worst_requests;

/// The whole report.
pub(crate) fn document(report: &Report<'_>, analysis: &Analysis) -> Document {
    let run = report.run;
    let facts = &run.facts;
    let mut summary = Section::new("summary", "Summary");
    summary.bullets(analysis.bullets.clone());
    let sections = [
        vec![
            overview::overview(run),
            summary,
            overview::test_runs(report),
        ],
        times::times(run),
        errors::errors(run).into_iter().collect(),
        changes::comparisons(analysis).into_iter().collect(),
        vec![worst::worst(run)],
        probes::probes(run),
        vec![
            statements::slow_queries(run),
            statements::missing_indexes(run),
            longevity::longevity(run, analysis),
            infrastructure::infrastructure(run),
            infrastructure::method(run),
        ],
    ];
    let name = facts.name.as_ref();
    let name = name.map_or(String::new(), |name| format!("{name} · "));
    Document {
        title: format!("{}: performance report", facts.workload),
        subtitle: format!(
            "{name}{} · tenant {} · {} · {} · {}",
            facts.server,
            facts.tenant,
            facts.started_at.strftime("%Y-%m-%d %H:%M UTC"),
            crate::number::counted(facts.virtual_users as u64, "virtual user"),
            length(facts.duration_s),
        ),
        sections: sections.into_iter().flatten().collect(),
    }
}

/// Names of transactions that are summed up, with their numbers in the timeline.
pub(crate) fn transactions(run: &Run) -> impl Iterator<Item = (usize, &str)> {
    let all = run.transactions.iter().enumerate();
    all.filter(|(_, one)| one.figures.is_some())
        .map(|(number, one)| (number, one.name.as_str()))
}
