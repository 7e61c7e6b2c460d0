//! The summary: sentences derived from the figures. Differences that may be chance are called so or
//! left out.

use octavo_figures::Trend;
use octavo_figures::compare::Change;
use octavo_figures::longevity::{Leak, Longevity, PercentileSlope};
use octavo_figures::run::Run;

use crate::document::Bullet;
use crate::number::{change, counted, fixed, length, share, time, whole};
use crate::report::{Analysis, Comparison};
use crate::section::{processors, worst_requests};

/// A process that uses more than this share of the processors is limited by them.
const BUSY: f64 = 0.9;
/// A larger share of errors than this makes times unreliable.
const ERRORS_MANY: f64 = 0.01;
/// A statement or a stage with less than this share of the time, in per cent, is not mentioned.
const SHARE_LEAST: f64 = 20.0;
/// The most changes named for each comparison.
const CHANGES_NAMED: usize = 4;
/// The most transactions named whose times grow.
const TRANSACTIONS_NAMED: usize = 5;

/// The sentences, most important first.
pub(crate) fn bullets(run: &Run, analysis: &Analysis) -> Vec<Bullet> {
    let mut all = Vec::new();
    ended(run, &mut all);
    throughput(run, &mut all);
    slowest(run, &mut all);
    for comparison in &analysis.comparisons {
        compared(comparison, &mut all);
    }
    worst(run, &mut all);
    bottlenecks(run, &mut all);
    if let Some(longevity) = &analysis.longevity {
        rising(longevity, &mut all);
        leaks(longevity, &mut all);
    }
    statements(run, &mut all);
    missing_indexes(run, &mut all);
    growth(run, &mut all);
    generator(run, &mut all);
    all
}

fn ended(run: &Run, all: &mut Vec<Bullet>) {
    if let Some(reason) = &run.ended_early {
        all.push(Bullet::bad(format!(
            "The run ended before its time: {}",
            sentence(reason)
        )));
    }
    if let Some(verdict) = &run.until {
        all.push(Bullet::plain(verdict.sentence()));
    }
    if let Some(reason) = &run.generator.bottleneck {
        all.push(Bullet::bad(format!(
            "The generator was the bottleneck, and the figures say more about it than about the \
             server: {}",
            sentence(reason)
        )));
    }
}

/// Further remarks on the generator: iterations that waited or did not begin.
fn generator(run: &Run, all: &mut Vec<Bullet>) {
    let notes = run.generator.notes(run.facts.virtual_users).into_iter();
    let already_shown = usize::from(run.generator.bottleneck.is_some());
    all.extend(notes.skip(already_shown).map(Bullet::plain));
}

fn throughput(run: &Run, all: &mut Vec<Bullet>) {
    let totals = &run.totals;
    if totals.requests == 0 {
        all.push(Bullet::bad("No request was measured."));
        return;
    }
    all.push(Bullet::plain(format!(
        "{} in {}: {} requests/s and {} iterations/s with {}.",
        counted(totals.requests, "request"),
        length(run.measured_s),
        fixed(totals.requests_per_s, 1),
        fixed(totals.iterations_per_s, 2),
        counted(run.facts.virtual_users as u64, "virtual user"),
    )));
    let part = share(totals.errors, totals.requests);
    all.push(match totals.errors {
        0 => Bullet::good("No request failed."),
        errors => {
            let many = errors as f64 > ERRORS_MANY * totals.requests as f64;
            let most = run.failures.iter().max_by_key(|failure| failure.count);
            let most = most.map_or(String::new(), |most| {
                format!(
                    " Most often, {} times: {}, {}",
                    whole(most.count),
                    most.label,
                    sentence(&most.kind)
                )
            });
            let untrue = match many {
                true => " Failed requests can be faster than others; read the times with care.",
                false => "",
            };
            Bullet::bad(format!(
                "{} failed ({part}).{most}{untrue}",
                counted(errors, "request")
            ))
        }
    });
}

fn slowest(run: &Run, all: &mut Vec<Bullet>) {
    let transactions = run.all().filter(|(_, transaction, _)| *transaction);
    let transactions = transactions.map(|(name, _, figures)| (name, figures.experienced()));
    let measured = transactions.filter(|(_, figures)| figures.samples > 0);
    let measured: Vec<_> = measured.collect();
    let slowest = measured
        .iter()
        .max_by(|a, b| a.1.p95_ms.total_cmp(&b.1.p95_ms));
    let Some((name, figures)) = slowest else {
        return;
    };
    let [low, high] = figures.p95_interval_ms;
    let which = match measured.len() {
        1 => "95 % of",
        _ => "The slowest transaction:",
    };
    let counted_from = match run.is_open() {
        true => ", counted from when it was due",
        false => "",
    };
    all.push(Bullet::plain(match measured.len() {
        1 => format!(
            "{which} {name} took no longer than {} (95 % sure: {} to {}), half of it no longer than \
             {}{counted_from}.",
            time(figures.p95_ms),
            time(low),
            time(high),
            time(figures.p50_ms)
        ),
        _ => format!(
            "{which} {name} has a 95th percentile of {} (95 % sure: {} to {}) and a median of \
             {}{counted_from}.",
            time(figures.p95_ms),
            time(low),
            time(high),
            time(figures.p50_ms)
        ),
    }));
}

pub(crate) fn compared(comparison: &Comparison, all: &mut Vec<Bullet>) {
    let before = &comparison.before;
    if comparison.changes.is_empty() {
        all.push(Bullet::plain(format!(
            "Nothing of this run is found under the same name in {before}."
        )));
        return;
    }
    let transactions: Vec<&Change> = comparison
        .changes
        .iter()
        .filter(|one| one.transaction)
        .collect();
    // Where only requests are known, they are used.
    let judged: Vec<&Change> = match transactions.is_empty() {
        true => comparison.changes.iter().collect(),
        false => transactions,
    };
    let is_headline = |one: &&&Change| matches!(one.statistic.as_str(), "average" | "p95");
    let mut real: Vec<&&Change> = judged
        .iter()
        .filter(is_headline)
        .filter(|one| one.real == Some(true))
        .collect();
    if real.is_empty() {
        let text = match judged
            .iter()
            .filter(is_headline)
            .any(|one| one.real.is_some())
        {
            true => format!("No change against {before} is more than chance."),
            false => format!("Whether anything changed against {before} cannot be determined."),
        };
        all.push(Bullet::plain(text));
        return;
    }
    // Slower first, then by size.
    let size = |one: &Change| one.per_cent();
    real.sort_by(|a, b| {
        let slower = (size(b) > 0.0).cmp(&(size(a) > 0.0));
        slower.then(size(b).abs().total_cmp(&size(a).abs()))
    });
    for one in real.iter().take(CHANGES_NAMED) {
        let sure = one.interval_per_cent.map_or(String::new(), |[low, high]| {
            format!(" (95 % sure: {} to {})", change(low), change(high))
        });
        let per_cent = one.per_cent();
        let text = format!(
            "{} is {} % {} than {before} by its {}: {} instead of {}{sure}.",
            one.name,
            fixed(per_cent.abs(), 1),
            if per_cent > 0.0 { "slower" } else { "faster" },
            named(&one.statistic),
            time(one.after_ms),
            time(one.before_ms),
        );
        all.push(match per_cent > 0.0 {
            true => Bullet::bad(text),
            false => Bullet::good(text),
        });
    }
    if real.len() > CHANGES_NAMED {
        all.push(Bullet::plain(format!(
            "{} more changes against {before} are real; the table of the comparison has them.",
            real.len() - CHANGES_NAMED
        )));
    }
}

fn worst(run: &Run, all: &mut Vec<Bullet>) {
    let worst = worst_requests(run);
    let labels = run.all().filter(|(_, transaction, _)| !transaction);
    let labels = labels
        .filter(|(.., figures)| figures.statistics.samples > 0)
        .count();
    match worst.first() {
        None if labels == 0 => {}
        None => all.push(Bullet::good(
            "No request takes 100 ms or more, by its average or its 75th percentile.",
        )),
        Some((name, figures)) => all.push(Bullet::plain(format!(
            "{} of {labels} kinds of requests take 100 ms or more by their average or their 75th \
             percentile; the slowest is {name} with {} on average.",
            worst.len(),
            time(figures.statistics.average_ms)
        ))),
    }
}

fn bottlenecks(run: &Run, all: &mut Vec<Bullet>) {
    let processors = processors(run);
    for series in run.probed.series.iter().filter(|one| one.measure == "cpu") {
        let Some((_, mean, most)) = series.range() else {
            continue;
        };
        // Without the number of processors only one of them is a known limit.
        let Some(processors) = processors else {
            continue;
        };
        let limit = processors * 100.0;
        if mean > BUSY * limit {
            all.push(Bullet::bad(format!(
                "CPU of {}: {} % on average, of {} % that there are: the processors were the bottleneck.",
                series.source,
                fixed(mean, 0),
                fixed(limit, 0)
            )));
        } else if most > BUSY * limit {
            all.push(Bullet::plain(format!(
                "CPU of {}: up to {} % of the {} % that there are, {} % on average.",
                series.source,
                fixed(most, 0),
                fixed(limit, 0),
                fixed(mean, 0)
            )));
        }
    }
}

fn rising(longevity: &Longevity, all: &mut Vec<Bullet>) {
    if !longevity.even_load {
        return;
    }
    let grows: Vec<&PercentileSlope> = longevity
        .slopes
        .iter()
        .filter(|one| one.trend == Trend::Grows)
        .collect();
    let mut names: Vec<&str> = grows.iter().map(|one| one.transaction.as_str()).collect();
    names.dedup();
    for name in names.iter().take(TRANSACTIONS_NAMED) {
        let own = || grows.iter().filter(|one| one.transaction == *name);
        // The most requested percentile stands for the others.
        let Some(one) = own().find(|one| one.statistic == "p95").or(own().next()) else {
            continue;
        };
        let others: Vec<&str> = own()
            .filter(|other| other.statistic != one.statistic)
            .map(|other| other.statistic.as_str())
            .collect();
        let others = match others.is_empty() {
            true => String::new(),
            false => format!("; {} grew too", others.join(", ")),
        };
        all.push(Bullet::bad(format!(
            "The {} of {name} grew by {} over the run: {} an hour (95 % sure: {} to {}){others}.",
            named(&one.statistic),
            time(one.slope.rise),
            time(one.slope.slope),
            time(one.slope.interval[0]),
            time(one.slope.interval[1]),
        )));
    }
    if grows.is_empty() && !longevity.slopes.is_empty() {
        all.push(Bullet::good(format!(
            "No percentile of a transaction grew over the {} of the run.",
            length(longevity.periods.iter().map(|one| one.seconds).sum())
        )));
    }
}

fn leaks(longevity: &Longevity, all: &mut Vec<Bullet>) {
    for one in &longevity.holdings {
        let what = match one.measure.as_str() {
            "memory" => "memory",
            _ => "number of connections",
        };
        let from_to = format!(
            "from {} to {} {}",
            fixed(one.first, 0),
            fixed(one.last, 0),
            one.unit
        );
        match one.verdict {
            Leak::Grows => {
                let slope = one.slope.map_or(String::new(), |slope| {
                    format!(
                        ", {} {} an hour (95 % sure: {} to {})",
                        fixed(slope.slope, 1),
                        one.unit,
                        fixed(slope.interval[0], 1),
                        fixed(slope.interval[1], 1)
                    )
                });
                all.push(Bullet::bad(format!(
                    "The {what} of {} grew {from_to}{slope}, and went on growing in the second half: \
                     it looks like a leak.",
                    one.source
                )));
            }
            Leak::LevelsOff => all.push(Bullet::plain(format!(
                "The {what} of {} grew {from_to} and then stayed.",
                one.source
            ))),
            Leak::Steady => all.push(Bullet::good(format!(
                "The {what} of {} did not grow: {from_to}.",
                one.source
            ))),
            Leak::TooShort | Leak::LoadChanged => {}
        }
    }
}

fn statements(run: &Run, all: &mut Vec<Bullet>) {
    let probed = &run.probed;
    let Some(first) = probed.statements.first() else {
        return;
    };
    if first.share >= SHARE_LEAST {
        all.push(Bullet::plain(format!(
            "One statement takes {} % of PostgreSQL's time, {} calls of {} on average; it is the \
             first of the slow queries.",
            fixed(first.share, 0),
            whole(first.calls),
            time(first.average_ms)
        )));
    }
    let per_request = probed.statements_total_ms / (run.totals.requests.max(1)) as f64;
    if probed.statements_total_ms > 0.0 {
        all.push(Bullet::plain(format!(
            "PostgreSQL worked {} for each request.",
            time(per_request)
        )));
    }
}

fn missing_indexes(run: &Run, all: &mut Vec<Bullet>) {
    let missing = &run.probed.missing_indexes;
    let Some(first) = missing.iter().max_by_key(|one| one.count) else {
        return;
    };
    let searches: u64 = missing.iter().map(|one| one.count).sum();
    let kinds = match missing.len() {
        1 => "one kind".to_owned(),
        many => format!("{many} kinds"),
    };
    all.push(Bullet::bad(format!(
        "{} of {kinds} had no index, most often {} of {}.",
        match searches {
            1 => "1 search".to_owned(),
            many => format!("{} searches", whole(many)),
        },
        first.what,
        first.table
    )));
}

fn growth(run: &Run, all: &mut Vec<Bullet>) {
    let tables = &run.probed.growth;
    let grown: i64 = tables
        .iter()
        .map(|one| one.bytes_after - one.bytes_before)
        .sum();
    let Some(most) = tables
        .iter()
        .max_by_key(|one| one.bytes_after - one.bytes_before)
        .filter(|most| most.bytes_after > most.bytes_before)
    else {
        return;
    };
    all.push(Bullet::plain(format!(
        "The data grew by {}, most of all {} by {} and {} rows.",
        crate::number::bytes(grown as f64),
        most.table,
        crate::number::bytes((most.bytes_after - most.bytes_before) as f64),
        fixed((most.rows_after - most.rows_before) as f64, 0)
    )));
}

/// A percentile in words.
pub(crate) fn named(statistic: &str) -> String {
    match statistic {
        "p50" => "median".to_owned(),
        other => match other.strip_prefix('p') {
            Some(number) => format!("{number}th percentile"),
            None => other.to_owned(),
        },
    }
}

/// The same with a full stop at its end.
fn sentence(text: &str) -> String {
    let text = text.trim_end();
    match text.ends_with(['.', '!', '?']) {
        true => text.to_owned(),
        false => format!("{text}."),
    }
}
