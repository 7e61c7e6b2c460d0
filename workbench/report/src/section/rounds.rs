//! The rounds of a time-compressed run: the same load repeatedly, with more data each time.

use octavo_figures::Trend;
use octavo_figures::rounds::{Rounds, UNIT};

use crate::document::{Cell, Section, Table, Tone};
use crate::number::{fixed, moment, signed, whole};

/// The decimals of slopes: a thousand transactions add little.
const DECIMALS: usize = 3;

/// Adds the rounds to the section on longevity.
pub(super) fn rounds(rounds: &Rounds, section: &mut Section) {
    section.note(
        "The same load was measured again and again, with growth of the data between that is in no \
         figure. So the rounds stand for the hours of a long run.",
    );
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in rounds.rounds.iter().flat_map(|round| &round.transactions) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    for name in names {
        let caption = format!("{name}, round by round, in ms");
        let mut table = Table::new(
            caption,
            &[
                "round",
                "#from",
                "#done before",
                "#samples",
                "#errors",
                "#average",
                "#p50",
                "#p75",
                "#p95",
                "#p99",
                "#max",
            ],
        );
        for round in &rounds.rounds {
            let own = round.transactions.iter().find(|(other, _)| other == name);
            let Some((_, figures)) = own else { continue };
            let times = [
                figures.average_ms,
                figures.p50_ms,
                figures.p75_ms,
                figures.p95_ms,
                figures.p99_ms,
                figures.maximum_ms,
            ];
            let mut cells = vec![
                Cell::new(round.name.clone()),
                Cell::new(moment(round.at_s)),
                Cell::new(whole(round.done_before)),
                Cell::new(whole(figures.samples)),
                Cell::new(whole(figures.errors)).toned(super::toned(figures.errors)),
            ];
            cells.extend(times.map(|time| Cell::new(fixed(time, 1))));
            table.row(cells);
        }
        section.table(table);
    }
    let caption = format!(
        "Slopes, in ms for each {} transactions done",
        whole(UNIT as u64)
    );
    let titles = [
        "transaction",
        "figure",
        "#slope",
        "#95 % sure",
        "#over the run",
        "verdict",
    ];
    let mut table = Table::new(caption, &titles);
    for one in &rounds.slopes {
        let slope = one.slope;
        let [low, high] = slope.interval;
        let (verdict, tone) = match one.trend {
            Trend::Grows => ("grows", Tone::Bad),
            Trend::Shrinks => ("falls", Tone::Good),
            Trend::Steady => ("steady", Tone::Plain),
        };
        table.row(vec![
            Cell::new(one.transaction.clone()),
            Cell::new(one.statistic.clone()),
            Cell::new(signed(slope.slope, DECIMALS)),
            Cell::new(format!(
                "{} … {}",
                signed(low, DECIMALS),
                signed(high, DECIMALS)
            )),
            Cell::new(format!(
                "{} ms of {}",
                signed(slope.rise, 1),
                fixed(slope.mean, 1)
            )),
            Cell::new(verdict).toned(tone),
        ]);
    }
    section.table(table);
}
