//! The errors by kind, with the first response of each.

use octavo_figures::run::{FailureSummary, Run};

use crate::document::{Block, Cell, Section, Table};
use crate::number::{share, whole};

/// The most kinds whose first response is shown.
const BODIES_MAX: usize = 10;
/// The most kinds in the table.
const KINDS_MAX: usize = 100;
/// The most characters of a response.
const BODY_LETTERS_MAX: usize = 4_000;

/// The section; `None` without errors.
pub(super) fn errors(run: &Run) -> Option<Section> {
    if run.failures.is_empty() {
        return None;
    }
    let mut section = Section::new("errors", "Errors");
    let mut failures: Vec<&FailureSummary> = run.failures.iter().collect();
    failures.sort_by_key(|failure| std::cmp::Reverse(failure.count));
    let mut table = Table::new(
        "Errors by kind",
        &[
            "request",
            "what went wrong",
            "#count",
            "#of all requests",
            "#first status",
        ],
    );
    for failure in failures.iter().take(KINDS_MAX) {
        let status = match failure.first_status {
            0 => "none".to_owned(),
            status => status.to_string(),
        };
        table.row(vec![
            Cell::new(failure.label.clone()),
            Cell::new(failure.kind.clone()),
            Cell::new(whole(failure.count)),
            Cell::new(share(failure.count, run.totals.requests)),
            Cell::new(status),
        ]);
    }
    section.table(table);
    if failures.len() > KINDS_MAX {
        let more = failures.len() - KINDS_MAX;
        section.note(format!("{more} more kinds are in the run's record."));
    }
    let with_body = failures
        .iter()
        .filter(|failure| !failure.first_body.is_empty());
    for failure in with_body.take(BODIES_MAX) {
        let what = format!(
            "First answer, HTTP {}, to {}: {}",
            failure.first_status, failure.label, failure.kind
        );
        let body = failure.first_body.chars().take(BODY_LETTERS_MAX).collect();
        section.blocks.push(Block::Quoted(what, body));
    }
    Some(section)
}
