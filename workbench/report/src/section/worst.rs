//! The slowest requests: those of 100 ms and more, which FOLIO's performance team lists.

use octavo_figures::run::{Figures, Run};

use crate::document::{Cell, Section, Table};
use crate::number::{fixed, whole};

/// From this average or 75th percentile on a request is listed, in ms.
const SLOW_FROM_MS: f64 = 100.0;

/// The slow requests, slowest first.
pub(crate) fn worst_requests(run: &Run) -> Vec<(&str, &Figures)> {
    let slow = |figures: &Figures| {
        let times = &figures.statistics;
        times.samples > 0 && times.average_ms.max(times.p75_ms) >= SLOW_FROM_MS
    };
    let mut worst: Vec<(&str, &Figures)> = run
        .all()
        .filter(|(_, transaction, figures)| !transaction && slow(figures))
        .map(|(name, _, figures)| (name, figures))
        .collect();
    worst.sort_by(|a, b| {
        b.1.statistics
            .average_ms
            .total_cmp(&a.1.statistics.average_ms)
    });
    worst
}

pub(super) fn worst(run: &Run) -> Section {
    let mut section = Section::new("slow-requests", "Requests of 100 ms and more");
    let worst = worst_requests(run);
    if worst.is_empty() {
        section
            .paragraph("No request takes 100 ms or more, by its average or its 75th percentile.");
        return section;
    }
    let spent =
        |figures: &Figures| figures.statistics.average_ms * figures.statistics.samples as f64;
    let requests = run.all().filter(|(_, transaction, _)| !transaction);
    let all_ms: f64 = requests.map(|(.., figures)| spent(figures)).sum();
    let mut table = Table::new(
        "By the average or the 75th percentile from when a request was sent, in ms",
        &[
            "request",
            "#samples",
            "#average",
            "#p75",
            "#p95",
            "#p99",
            "#max",
            "#share of all time",
        ],
    );
    for (name, figures) in worst {
        let times = &figures.statistics;
        let shown = [
            times.average_ms,
            times.p75_ms,
            times.p95_ms,
            times.p99_ms,
            times.maximum_ms,
        ];
        let mut cells = vec![Cell::new(name), Cell::new(whole(times.samples))];
        cells.extend(shown.map(|ms| Cell::new(fixed(ms, 0))));
        let part = 100.0 * spent(figures) / all_ms.max(1e-9);
        cells.push(Cell::new(format!("{} %", fixed(part, 1))));
        table.row(cells);
    }
    section.table(table);
    section
}
