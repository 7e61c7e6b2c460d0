//! The comparisons with other runs and with published figures. Only what is more than chance is
//! coloured.

use octavo_figures::compare::Change;

use crate::document::{Cell, Section, Table, Tone};
use crate::number::{change, decimals, fixed};
use crate::report::{Analysis, Comparison};

/// The figures of requests, of which there are many.
const OF_REQUESTS: [&str; 2] = ["average", "p95"];

/// The section; `None` without comparisons.
pub(super) fn comparisons(analysis: &Analysis) -> Option<Section> {
    if analysis.comparisons.is_empty() {
        return None;
    }
    let mut section = Section::new("comparison", "Comparison");
    section.note(EXPLAINED);
    for comparison in &analysis.comparisons {
        section.heading(format!("Against {}", comparison.before));
        one(comparison, &mut section);
    }
    Some(section)
}

/// The explanation of the tables.
pub(crate) const EXPLAINED: &str = "Times in ms; plus is slower. A change has a colour only when it is \
more than chance: the runs are drawn anew some hundred times from their own histograms, by whole steps \
of time where they are known, and of all changes that are called real at most one in twenty is not. \
Of published figures no distribution is known; there only the run's own spread counts.";

fn one(comparison: &Comparison, section: &mut Section) {
    if let Some(source) = &comparison.source {
        section.paragraph(format!("Source: {source}."));
    }
    for reason in &comparison.unlike {
        section.note(reason.clone());
    }
    if comparison.changes.is_empty() {
        section.paragraph("Nothing has the same name in both.");
        return;
    }
    let published = comparison.source.is_some();
    let transactions = |wanted: bool| {
        let changes = comparison.changes.iter();
        changes
            .filter(move |one| one.transaction == wanted)
            .filter(move |one| wanted || published || OF_REQUESTS.contains(&one.statistic.as_str()))
    };
    section.table(changes_table(
        "Transactions",
        transactions(true),
        &comparison.before,
    ));
    section.table(changes_table(
        "Requests",
        transactions(false),
        &comparison.before,
    ));
}

/// Changes, one a row.
fn changes_table<'c>(
    caption: &str,
    changes: impl Iterator<Item = &'c Change>,
    before: &str,
) -> Table {
    let first = caption.trim_end_matches('s').to_lowercase();
    let mut table = Table::new(
        caption,
        &[
            &first,
            "figure",
            &format!("#{before}"),
            "#this run",
            "#change",
            "#95 % sure",
            "verdict",
        ],
    );
    let mut last = "";
    for one in changes {
        let begins = one.name != last;
        last = &one.name;
        let digits = decimals(one.before_ms.min(one.after_ms));
        let (verdict, tone) = match one.real {
            Some(true) if one.per_cent() > 0.0 => ("slower", Tone::Bad),
            Some(true) => ("faster", Tone::Good),
            Some(false) => ("may be chance", Tone::Quiet),
            None => ("spread unknown", Tone::Quiet),
        };
        let delta = Cell::new(change(one.per_cent())).toned(match one.real {
            Some(true) => tone,
            _ => Tone::Plain,
        });
        let sure = one.interval_per_cent.map_or(String::new(), |[low, high]| {
            format!("{} … {}", change(low), change(high))
        });
        table.row_strong(
            vec![
                Cell::new(if begins { one.name.as_str() } else { "" }),
                Cell::new(one.statistic.clone()),
                Cell::new(fixed(one.before_ms, digits)),
                Cell::new(fixed(one.after_ms, digits)),
                delta,
                Cell::new(sure),
                Cell::new(verdict).toned(tone),
            ],
            begins,
        );
    }
    table
}

/// The tone of a number of errors.
pub(crate) fn toned(errors: u64) -> Tone {
    match errors {
        0 => Tone::Plain,
        _ => Tone::Bad,
    }
}
