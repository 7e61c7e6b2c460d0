//! The run over time: a table of its hours, the slopes of percentiles, whether memory and
//! connections are released, and how the data grew.

use octavo_figures::Trend;
use octavo_figures::longevity::{Leak, Longevity};
use octavo_figures::run::Run;

use crate::document::{Cell, Section, Table, Tone};
use crate::number::{bytes, decimals, fixed, length, moment, plain, share, signed, whole};
use crate::plot::{Across, Form, Line, Plot, TRANSACTIONS_MAX, short};
use crate::report::Analysis;

pub(super) fn longevity(run: &Run, analysis: &Analysis) -> Section {
    let mut section = Section::new("longevity", "Longevity");
    if let Some(rounds) = octavo_figures::rounds::rounds(run) {
        super::rounds::rounds(&rounds, &mut section);
        growth(run, &mut section);
        return section;
    }
    let Some(longevity) = &analysis.longevity else {
        section.paragraph("The run is too short to be looked at by its parts.");
        growth(run, &mut section);
        return section;
    };
    section.note(format!(
        "The run in periods of {}, ramp-up and warm-up left out.",
        length(longevity.period_s)
    ));
    if !longevity.even_load {
        section.note(
            "The load changed over the run: slopes and growth reflect the load, not age, and get \
             no verdict.",
        );
    }
    section.table(periods(longevity));
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in longevity.periods.iter().flat_map(|one| &one.transactions) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    for name in names.iter().take(TRANSACTIONS_MAX) {
        section.table(of_transaction(longevity, name));
    }
    section.plots([by_period(longevity, &names)]);
    section.heading("Slopes");
    section.note(
        "A straight line through each percentile over time, in ms an hour, with where its slope lies \
         in 95 of 100 such runs; neighbours in time resemble each other, and count for less. It \
         grows when that is above zero and the rise over the run is 5 % or more.",
    );
    section.table(slopes(longevity));
    section.heading("Memory and connections");
    match longevity.holdings.is_empty() {
        true => section.paragraph(super::probes::PROCESSES),
        false => section.table(holdings(longevity)),
    }
    growth(run, &mut section);
    section
}

fn periods(longevity: &Longevity) -> Table {
    let mut held: Vec<(&str, &str)> = Vec::new();
    for (source, measure, _) in longevity.periods.iter().flat_map(|one| &one.holdings) {
        if !held.contains(&(source.as_str(), measure.as_str())) {
            held.push((source, measure));
        }
    }
    let titles: Vec<String> = held
        .iter()
        .map(|(source, measure)| {
            let mut holdings = longevity.holdings.iter();
            let unit = holdings
                .find(|one| one.source == *source && one.measure == *measure)
                .map_or("", |one| one.unit.as_str());
            match unit == *measure {
                true => format!("#{source}: {measure}"),
                false => format!("#{source}: {measure} {unit}"),
            }
        })
        .collect();
    let fixed_titles = [
        "#period",
        "#from",
        "#length",
        "#requests",
        "#requests/s",
        "#errors",
        "#error %",
    ];
    let titles = fixed_titles
        .into_iter()
        .chain(titles.iter().map(String::as_str));
    let mut table = Table::new("Period by period", &titles.collect::<Vec<_>>());
    for (number, one) in longevity.periods.iter().enumerate() {
        let mut cells = vec![
            Cell::new((number + 1).to_string()),
            Cell::new(moment(one.at_s)),
            Cell::new(length(one.seconds)),
            Cell::new(whole(one.requests)),
            Cell::new(fixed(one.requests as f64 / one.seconds.max(1e-9), 1)),
            Cell::new(whole(one.errors)).toned(super::toned(one.errors)),
            Cell::new(share(one.errors, one.requests)),
        ];
        cells.extend(held.iter().map(|(source, measure)| {
            let mut holdings = one.holdings.iter();
            let value = holdings.find(|(a, b, _)| a == source && b == measure);
            Cell::new(value.map_or(String::new(), |(.., value)| plain(*value)))
        }));
        table.row(cells);
    }
    table
}

fn of_transaction(longevity: &Longevity, name: &str) -> Table {
    let mut table = Table::new(
        format!("{name}, period by period, in ms"),
        &[
            "#period", "#from", "#samples", "#errors", "#average", "#p50", "#p75", "#p90", "#p95",
            "#p99", "#max",
        ],
    );
    let own = longevity.periods.iter().enumerate();
    let own = own.filter_map(|(number, period)| {
        let mut transactions = period.transactions.iter();
        let (_, figures) = transactions.find(|(known, _)| known == name)?;
        Some((number, period, figures))
    });
    let own: Vec<_> = own.collect();
    let least = own.iter().map(|(.., figures)| figures.average_ms);
    let digits = decimals(least.fold(f64::INFINITY, f64::min));
    for (number, period, figures) in own {
        let mut cells = vec![
            Cell::new((number + 1).to_string()),
            Cell::new(moment(period.at_s)),
            Cell::new(whole(figures.samples)),
            Cell::new(whole(figures.errors)).toned(super::toned(figures.errors)),
        ];
        let times = [
            figures.average_ms,
            figures.p50_ms,
            figures.p75_ms,
            figures.p90_ms,
            figures.p95_ms,
            figures.p99_ms,
            figures.maximum_ms,
        ];
        cells.extend(times.map(|ms| Cell::new(fixed(ms, digits))));
        table.row(cells);
    }
    table
}

fn by_period(longevity: &Longevity, names: &[&str]) -> Option<Plot> {
    let lines = names.iter().take(8).enumerate().map(|(at, name)| Line {
        name: format!("{name} p95"),
        colour: at + 1,
        form: Form::Points,
        values: longevity
            .periods
            .iter()
            .map(|period| {
                let mut own = period.transactions.iter();
                short(own.find(|(known, _)| known == name)?.1.p95_ms)
            })
            .collect(),
        ..Line::default()
    });
    Plot {
        title: "95th percentile, period by period".to_owned(),
        x: Across::Time,
        xs: longevity
            .periods
            .iter()
            .map(|one| one.at_s.round())
            .collect(),
        unit: "ms".to_owned(),
        lines: lines.collect(),
        ..Plot::default()
    }
    .unless_empty()
}

fn slopes(longevity: &Longevity) -> Table {
    let mut table = Table::new(
        "Slopes of percentiles",
        &[
            "transaction",
            "figure",
            "#mean ms",
            "#ms an hour",
            "#95 % sure",
            "#rise over the run",
            "verdict",
        ],
    );
    let mut last = "";
    for one in &longevity.slopes {
        let begins = one.transaction != last;
        last = &one.transaction;
        let slope = &one.slope;
        let digits = decimals(slope.mean.abs()).max(1);
        let (verdict, tone) = match (longevity.even_load, one.trend) {
            (false, _) => ("load changed", Tone::Quiet),
            (true, Trend::Grows) => ("grows", Tone::Bad),
            (true, Trend::Shrinks) => ("shrinks", Tone::Good),
            (true, Trend::Steady) => ("steady", Tone::Plain),
        };
        let rise = 100.0 * slope.rise / slope.mean.abs().max(1e-9);
        table.row_strong(
            vec![
                Cell::new(if begins { one.transaction.as_str() } else { "" }),
                Cell::new(one.statistic.clone()),
                Cell::new(fixed(slope.mean, digits)),
                Cell::new(signed(slope.slope, digits)),
                Cell::new(format!(
                    "{} … {}",
                    signed(slope.interval[0], digits),
                    signed(slope.interval[1], digits)
                )),
                Cell::new(format!("{} %", signed(rise, 1))),
                Cell::new(verdict).toned(tone),
            ],
            begins,
        );
    }
    table
}

fn holdings(longevity: &Longevity) -> Table {
    let mut table = Table::new(
        "Whether it is given back",
        &[
            "of",
            "what",
            "unit",
            "#first tenth",
            "#last tenth",
            "#an hour",
            "#95 % sure",
            "#an hour, second half",
            "verdict",
        ],
    );
    for one in &longevity.holdings {
        let slope = |slope: &Option<octavo_figures::Slope>| {
            slope.map_or("–".to_owned(), |slope| signed(slope.slope, 1))
        };
        let sure = one.slope.map_or("–".to_owned(), |slope| {
            let [low, high] = slope.interval;
            format!("{} … {}", signed(low, 1), signed(high, 1))
        });
        let (verdict, tone) = match one.verdict {
            Leak::Grows => ("grows on: looks like a leak", Tone::Bad),
            Leak::LevelsOff => ("grew, then stayed", Tone::Plain),
            Leak::Steady => ("no leak", Tone::Good),
            Leak::TooShort => ("too short to decide", Tone::Quiet),
            Leak::LoadChanged => ("load changed: cannot decide", Tone::Quiet),
        };
        table.row(vec![
            Cell::new(one.source.clone()),
            Cell::new(one.measure.clone()),
            Cell::new(one.unit.clone()),
            Cell::new(plain(one.first)),
            Cell::new(plain(one.last)),
            Cell::new(slope(&one.slope)),
            Cell::new(sure),
            Cell::new(slope(&one.late_slope)),
            Cell::new(verdict).toned(tone),
        ]);
    }
    table
}

fn growth(run: &Run, section: &mut Section) {
    if run.probed.growth.is_empty() {
        return;
    }
    section.heading("Growth of the data");
    let mut table = Table::new(
        "Tables before and after",
        &[
            "table",
            "#rows before",
            "#rows after",
            "#more rows",
            "#size before",
            "#size after",
            "#larger by",
            "#an hour",
        ],
    );
    let hours = run.facts.duration_s / 3600.0;
    let signed_bytes = |grown: f64| match grown > 0.0 {
        true => format!("+{}", bytes(grown)),
        false => bytes(grown),
    };
    for one in &run.probed.growth {
        let grown = (one.bytes_after - one.bytes_before) as f64;
        table.row(vec![
            Cell::new(one.table.clone()),
            Cell::new(fixed(one.rows_before as f64, 0)),
            Cell::new(fixed(one.rows_after as f64, 0)),
            Cell::new(signed((one.rows_after - one.rows_before) as f64, 0)),
            Cell::new(bytes(one.bytes_before as f64)),
            Cell::new(bytes(one.bytes_after as f64)),
            Cell::new(signed_bytes(grown)),
            Cell::new(match hours > 0.0 {
                true => signed_bytes(grown / hours),
                false => "–".to_owned(),
            }),
        ]);
    }
    section.table(table);
    section.note("Rows as PostgreSQL's statistics have them; sizes with indexes.");
}
