//! The machines, and the method of the measurement.

use octavo_figures::run::Run;

use super::probes::PROCESSES;
use crate::document::{Bullet, Cell, Section, Table};

/// The machine and its software.
pub(super) fn infrastructure(run: &Run) -> Section {
    let mut section = Section::new("infrastructure", "Infrastructure");
    let probed = &run.probed;
    if probed.infrastructure.is_empty() {
        section.paragraph(PROCESSES);
    }
    let mut table = Table::new("The machine and what ran on it", &["what", "value"]);
    for (name, value) in &probed.infrastructure {
        table.row(vec![Cell::new(name.clone()), Cell::new(value.clone())]);
    }
    section.table(table);
    if !probed.notes.is_empty() {
        section.heading("What could not be seen");
        section.bullets(probed.notes.iter().map(Bullet::plain).collect());
    }
    section
}

/// The method of the measurement.
pub(super) fn method(run: &Run) -> Section {
    let mut section = Section::new("method", "How this was measured");
    let mut all = vec![
        "Times go into histograms of three digits (HdrHistogram); averages and sums are exact. \
         Failed requests are in all figures."
            .to_owned(),
        "A transaction's time is the sum of its requests' times; think times are in none.".to_owned(),
        "The interval of a percentile is where its rank lies in 95 of 100 runs, by the binomial \
         distribution; that of the average by its standard error. They know nothing of what differs \
         between runs."
            .to_owned(),
    ];
    if run.is_open() {
        all.push(
            "The load is open: each iteration has a moment at which it is due. A stall of the server \
             makes all that was due in it late, as patrons would be."
                .to_owned(),
        );
    } else {
        all.push(
            "The load is a closed loop, as in FOLIO's published reports: a user sends when it is \
             answered, and a stall of the server is one slow sample for each user."
                .to_owned(),
        );
    }
    section.bullets(all.into_iter().map(Bullet::plain).collect());
    section
}
