//! The statements with most of PostgreSQL's time, and searches without an index.

use octavo_figures::run::Run;

use super::probes::POSTGRES;
use crate::document::{Cell, Section, Table};
use crate::number::{fixed, plain, share, time, whole};

/// The most characters of a statement; the run's record has more.
const STATEMENT_LETTERS_MAX: usize = 600;
/// The most statements.
const STATEMENTS_MAX: usize = 25;

/// The statements with most of the time.
pub(super) fn slow_queries(run: &Run) -> Section {
    let mut section = Section::new("slow-queries", "Slow queries");
    let probed = &run.probed;
    if probed.statements.is_empty() {
        section.paragraph(POSTGRES);
        return section;
    }
    section.paragraph(format!(
        "All statements together took {}. The first are those that took most of it.",
        time(probed.statements_total_ms)
    ));
    let mut table = Table::new(
        "Statements by their total time",
        &[
            "statement",
            "#calls",
            "#total s",
            "#share",
            "#average ms",
            "#rows a call",
            "#pages found in cache",
        ],
    );
    for one in probed.statements.iter().take(STATEMENTS_MAX) {
        let cut = one.query.chars().count() > STATEMENT_LETTERS_MAX;
        let mut query: String = one.query.chars().take(STATEMENT_LETTERS_MAX).collect();
        if cut {
            query.push('…');
        }
        table.row(vec![
            Cell::code(query),
            Cell::new(whole(one.calls)),
            Cell::new(fixed(one.total_ms / 1000.0, 1)),
            Cell::new(format!("{} %", fixed(one.share, 1))),
            Cell::new(fixed(one.average_ms, 3)),
            Cell::new(plain(one.rows)),
            Cell::new(match one.hits + one.reads {
                0 => "–".to_owned(),
                pages => share(one.hits, pages),
            }),
        ]);
    }
    section.table(table);
    section
}

/// Searches without an index.
pub(super) fn missing_indexes(run: &Run) -> Section {
    let mut section = Section::new("missing-indexes", "Missing indexes");
    let missing = &run.probed.missing_indexes;
    if missing.is_empty() {
        let seen = !run.probed.series.is_empty() || !run.probed.statements.is_empty();
        section.paragraph(match seen {
            true => "No search without an index was reported.",
            false => POSTGRES,
        });
        return section;
    }
    let mut table = Table::new(
        "Searches without an index",
        &[
            "table",
            "field and kind of index",
            "#searches",
            "reported by",
        ],
    );
    for one in missing {
        table.row(vec![
            Cell::new(one.table.clone()),
            Cell::code(one.what.clone()),
            Cell::new(whole(one.count)),
            Cell::new(one.source.clone()),
        ]);
    }
    section.table(table);
    section
}
