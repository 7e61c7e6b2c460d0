//! A long run over time: its figures in periods of an hour, whether percentiles rise, and whether
//! memory and connections are released. Ramp-up and warm-up are left out.

use serde::{Deserialize, Serialize};

use crate::run::{ProbedSeries, Run, Step, Timeline};
use crate::{Series, Slope, Statistics, Trend};

/// Runs of this length have periods of an hour, in seconds.
const HOURLY_FROM_S: f64 = 3.0 * 3600.0;
/// Shorter runs have about so many periods.
const PERIODS: f64 = 12.0;
/// Round lengths of periods, in seconds.
const PERIODS_S: [f64; 14] = [
    1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1200.0, 1800.0,
];
/// A percentile of fewer samples is not reliable.
const SAMPLES_A_POINT: u64 = 100;
/// The most points of a regression line, and the fewest.
const POINTS_MAX: usize = 60;
const POINTS_LEAST: usize = 6;
/// In a shorter time caches still fill and pools still grow. In seconds.
const LEAK_FROM_S: f64 = 600.0;
/// A value that is larger at the end by more than this share has grown; over half of the run, by
/// half of it.
const GROWN_FROM: f64 = 0.05;
/// Load that varies by more than this share of its maximum does not count as constant.
const EVEN_WITHIN: f64 = 0.1;

/// The percentiles that get a slope, by the names that [`Statistics::by_name`] knows.
pub const SLOPED: [(&str, f64); 5] = [
    ("p50", 50.0),
    ("p75", 75.0),
    ("p90", 90.0),
    ("p95", 95.0),
    ("p99", 99.0),
];

/// A run over time.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Longevity {
    /// Where ramp-up and warm-up end, in seconds from the beginning of the run.
    pub from_s: f64,
    /// The length of a period in seconds; the last one may be shorter.
    pub period_s: f64,
    /// Whether the load was constant. Otherwise slopes reflect the load.
    pub even_load: bool,
    /// The periods in order.
    pub periods: Vec<Period>,
    /// The slopes of each transaction's percentiles, in ms an hour.
    pub slopes: Vec<PercentileSlope>,
    /// Memory and connections: what a server has to release.
    pub holdings: Vec<Holding>,
}

/// One period of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Period {
    /// When it began, in seconds from the beginning of the run.
    pub at_s: f64,
    pub seconds: f64,
    pub requests: u64,
    pub errors: u64,
    /// By transaction, in the workload's order.
    pub transactions: Vec<(String, Statistics)>,
    /// Memory and connections by source: the mean in the period.
    pub holdings: Vec<(String, String, f64)>,
}

/// The slope of one percentile of a transaction.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PercentileSlope {
    pub transaction: String,
    /// `p50`, …
    pub statistic: String,
    pub slope: Slope,
    /// The verdict; steady where the load was not constant.
    pub trend: Trend,
}

/// The memory or connections that a process or database held over the run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Holding {
    /// The process or database.
    pub source: String,
    /// `memory` or `connections`.
    pub measure: String,
    pub unit: String,
    /// The mean of the first tenth after warm-up.
    pub first: f64,
    /// The mean of the last tenth.
    pub last: f64,
    /// In units an hour; none with too few points.
    pub slope: Option<Slope>,
    /// The same for the second half alone.
    pub late_slope: Option<Slope>,
    /// Whether it is released.
    pub verdict: Leak,
}

/// Whether something leaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Leak {
    /// It grows over the run and over its second half: it would not stop.
    Grows,
    /// It grew and stopped: caches and pools that filled.
    LevelsOff,
    /// It stays, or shrinks.
    Steady,
    /// The run was too short, or sampled too rarely, to decide.
    TooShort,
    /// The load changed, and with it what it needs.
    LoadChanged,
}

/// A run over time; `None` without a timeline of at least three periods.
pub fn longevity(run: &Run) -> Option<Longevity> {
    let from_s = run.facts.ramp_up_s + run.facts.warm_up_s;
    let counted: Vec<Step> = run
        .timeline
        .steps
        .iter()
        .filter(|step| step.at_s + 1e-6 >= from_s)
        .cloned()
        .collect();
    let (first, last) = (counted.first()?.at_s, counted.last()?);
    let whole_s = last.at_s + last.seconds - first;
    let period_s = period_s(whole_s, run.timeline.step_s);
    let even_load = even(run, &counted);
    let periods = in_periods(&counted, first, period_s);
    if periods.len() < 3 {
        return None;
    }
    let holding = |one: &&ProbedSeries| matches!(one.measure.as_str(), "memory" | "connections");
    let held: Vec<&ProbedSeries> = run.probed.series.iter().filter(holding).collect();
    let names: Vec<&str> = run
        .transactions
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    let until_s = first + whole_s;
    Some(Longevity {
        from_s,
        period_s,
        even_load,
        periods: periods
            .iter()
            .map(|step| period(step, &names, &held))
            .collect(),
        slopes: slopes(&counted, first, &names, even_load),
        holdings: held
            .iter()
            .map(|series| judged(series, first, until_s, even_load))
            .collect(),
    })
}

/// An hour in long runs, otherwise about a twelfth in a round length, and no less than a step.
fn period_s(whole_s: f64, step_s: f64) -> f64 {
    if whole_s >= HOURLY_FROM_S {
        return 3600.0;
    }
    let wanted = (whole_s / PERIODS).max(step_s);
    let human = PERIODS_S.iter().copied();
    human
        .into_iter()
        .find(|one| *one + 1e-6 >= wanted)
        .unwrap_or(1800.0)
}

/// Whether neither users nor rate changed, except in the last step, in which users leave.
fn even(run: &Run, steps: &[Step]) -> bool {
    if run.stages.len() > 1 {
        return false;
    }
    let steps = &steps[..steps.len().saturating_sub(1)];
    let within = |values: Vec<f64>| {
        let most = values.iter().copied().fold(0.0, f64::max);
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        values.is_empty() || most - least <= EVEN_WITHIN * most
    };
    match run.is_open() {
        true => within(steps.iter().filter_map(|step| step.rate).collect()),
        false => within(steps.iter().map(|step| step.users as f64).collect()),
    }
}

/// Joins steps into periods that are counted from a beginning.
fn in_periods(steps: &[Step], begin_s: f64, period_s: f64) -> Vec<Step> {
    let mut periods = Timeline::new(period_s);
    for step in steps {
        periods.add(Step {
            at_s: step.at_s - begin_s,
            ..step.clone()
        });
    }
    let mut periods = periods.steps;
    periods.iter_mut().for_each(|step| step.at_s += begin_s);
    periods
}

fn period(step: &Step, names: &[&str], held: &[&ProbedSeries]) -> Period {
    let transactions = names.iter().zip(&step.transactions);
    let until_s = step.at_s + step.seconds;
    let held = held.iter().filter_map(|series| {
        let value = mean(&between(series, step.at_s, until_s))?;
        Some((series.source.clone(), series.measure.clone(), value))
    });
    Period {
        at_s: step.at_s,
        seconds: step.seconds,
        requests: step.requests,
        errors: step.errors,
        transactions: transactions
            .filter(|(_, series)| !series.is_empty())
            .map(|(name, series)| ((*name).to_owned(), series.statistics()))
            .collect(),
        holdings: held.collect(),
    }
}

fn slopes(steps: &[Step], begin_s: f64, names: &[&str], even_load: bool) -> Vec<PercentileSlope> {
    let mut slopes = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let of = |step: &Step| step.transactions.get(number).map_or(0, Series::len);
        let samples: u64 = steps.iter().map(of).sum();
        let points = (samples / SAMPLES_A_POINT) as usize;
        let points = points.clamp(POINTS_LEAST, POINTS_MAX);
        let joined = steps.len().div_ceil(points).max(1);
        let pieces: Vec<(f64, Series)> = steps
            .chunks(joined)
            // The last one may be too short to be comparable.
            .filter(|chunk| 2 * chunk.len() > joined)
            .map(|chunk| {
                let mut series = Series::default();
                let own = chunk
                    .iter()
                    .filter_map(|step| step.transactions.get(number));
                own.for_each(|one| series.add(one));
                let seconds: f64 = chunk.iter().map(|step| step.seconds).sum();
                ((chunk[0].at_s + seconds / 2.0 - begin_s) / 3600.0, series)
            })
            .filter(|(_, series)| !series.is_empty())
            .collect();
        if pieces.len() < POINTS_LEAST.min(4) {
            continue;
        }
        for (statistic, percent) in SLOPED {
            let points: Vec<(f64, f64)> = pieces
                .iter()
                .map(|(at, series)| (*at, series.percentile_ms(percent)))
                .collect();
            let Some(slope) = Slope::through(&points) else {
                continue;
            };
            slopes.push(PercentileSlope {
                transaction: (*name).to_owned(),
                statistic: statistic.to_owned(),
                slope,
                trend: match even_load {
                    true => slope.trend(),
                    false => Trend::Steady,
                },
            });
        }
    }
    slopes
}

/// Whether something leaks. Growth alone proves little, since caches fill; growth in the second
/// half as well would continue.
fn judged(series: &ProbedSeries, from_s: f64, until_s: f64, even_load: bool) -> Holding {
    let points = between(series, from_s, until_s);
    let tenth = (until_s - from_s) / 10.0;
    let line = |from_s: f64| {
        let seen = between(series, from_s, until_s);
        let joined = seen.len().div_ceil(POINTS_MAX).max(1);
        let pieces: Vec<(f64, f64)> = seen
            .chunks(joined)
            .map(|chunk| {
                let count = chunk.len() as f64;
                let at = chunk.iter().map(|(at, _)| at).sum::<f64>() / count;
                let value = chunk.iter().map(|(_, value)| value).sum::<f64>() / count;
                ((at - from_s) / 3600.0, value)
            })
            .collect();
        (pieces.len() >= POINTS_LEAST)
            .then(|| Slope::through(&pieces))
            .flatten()
    };
    let slope = line(from_s);
    let late_slope = line(from_s + (until_s - from_s) / 2.0);
    let first = mean(&between(series, from_s, from_s + tenth));
    let last = mean(&between(series, until_s - tenth, until_s + 1.0));
    // A value that rose early and then stayed has no significant slope, and yet it grew.
    let larger = match (first, last) {
        (Some(first), Some(last)) => last - first > GROWN_FROM * first.abs(),
        _ => false,
    };
    let grows = |slope: &Slope| slope.trend() == Trend::Grows || (larger && slope.slope > 0.0);
    let goes_on = |slope: &Slope| {
        slope.interval[0] > 0.0 && slope.rise >= GROWN_FROM / 2.0 * slope.mean.abs()
    };
    let verdict = match (&slope, &late_slope) {
        _ if !even_load => Leak::LoadChanged,
        (Some(_), Some(_)) if until_s - from_s < LEAK_FROM_S => Leak::TooShort,
        (Some(whole), Some(late)) => match (grows(whole), goes_on(late)) {
            (true, true) => Leak::Grows,
            (true, false) => Leak::LevelsOff,
            (false, _) => Leak::Steady,
        },
        _ => Leak::TooShort,
    };
    let nothing = || points.first().map_or(0.0, |(_, value)| *value);
    Holding {
        source: series.source.clone(),
        measure: series.measure.clone(),
        unit: series.unit.clone(),
        first: first.unwrap_or_else(nothing),
        last: last.unwrap_or_else(nothing),
        slope,
        late_slope,
        verdict,
    }
}

fn between(series: &ProbedSeries, from_s: f64, until_s: f64) -> Vec<(f64, f64)> {
    let points = series.points.iter().copied();
    points
        .filter(|(at, value)| (from_s..until_s).contains(at) && value.is_finite())
        .collect()
}

fn mean(points: &[(f64, f64)]) -> Option<f64> {
    let sum: f64 = points.iter().map(|(_, value)| value).sum();
    (!points.is_empty()).then(|| sum / points.len() as f64)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    /// A run of so many hours in steps of a minute, with times in ms as a function of the hour.
    fn run(hours: f64, users: fn(f64) -> usize, time_ms: fn(f64) -> f64) -> Run {
        let mut run: Run = serde_json::from_value(json!({
            "workload": "desk", "server": "s", "tenant": "t",
            "started_at": "2026-01-01T00:00:00Z", "virtual_users": 8, "threads": 1,
            "ramp_up_s": 60.0, "duration_s": hours * 3600.0, "warm_up_s": 60.0,
            "think_time": "plan", "arrival": "closed loop", "distribution": [], "seed": 1,
            "measured_s": hours * 3600.0,
            "totals": { "requests": 0, "errors": 0, "requests_per_s": 0.0, "iterations": 0,
                "iterations_per_s": 0.0, "iterations_cut_short": 0, "warm_up_requests": 0,
                "warm_up_errors": 0, "received_bytes": 0, "sent_bytes": 0 },
            "transactions": [ { "name": "Check-Out", "requests": [] } ],
            "other_requests": [], "failures": [], "substitutions": [], "waits": 0,
            "generator": {}, "until": null
        }))
        .unwrap();
        run.timeline = Timeline::new(60.0);
        for minute in 0..(hours * 60.0) as usize {
            let hour = minute as f64 / 60.0;
            let mut series = Series::default();
            for at in 0..50_u64 {
                // Varied by 10 %, and by a tenth of that from minute to minute.
                let spread =
                    0.95 + 0.1 * (at as f64 / 50.0) + 0.01 * ((minute * 7 % 11) as f64 / 11.0);
                let ms = time_ms(hour) * spread;
                series.record(Duration::from_micros((ms * 1000.0) as u64), at > 0);
            }
            run.timeline.add(Step {
                at_s: minute as f64 * 60.0,
                seconds: 60.0,
                requests: 500,
                errors: 1,
                users: users(hour),
                transactions: vec![series],
                ..Step::default()
            });
        }
        run
    }

    fn held(measure: &str, hours: f64, value: fn(f64) -> f64) -> ProbedSeries {
        let points = (0..(hours * 360.0) as usize).map(|at| {
            let hour = at as f64 / 360.0;
            (at as f64 * 10.0, value(hour) + (at * 7 % 13) as f64 / 13.0)
        });
        ProbedSeries {
            source: "server".to_owned(),
            measure: measure.to_owned(),
            unit: "MB".to_owned(),
            points: points.collect(),
        }
    }

    fn eight(_: f64) -> usize {
        8
    }

    fn verdict(hours: f64, users: fn(f64) -> usize, value: fn(f64) -> f64) -> Leak {
        let mut run = run(hours, users, |_| 100.0);
        run.probed.series = vec![held("memory", hours, value)];
        longevity(&run).unwrap().holdings[0].verdict
    }

    #[test]
    fn a_day_has_its_hours_and_nothing_of_the_ramp_up() {
        let day = longevity(&run(24.0, eight, |_| 100.0)).unwrap();
        assert_eq!(
            (day.from_s, day.period_s, day.even_load),
            (120.0, 3600.0, true)
        );
        assert_eq!(day.periods.len(), 24);
        assert_eq!(day.periods[0].at_s, 120.0);
        assert_eq!(day.periods[1].at_s, 3_720.0);
        let minutes: u64 = day.periods.iter().map(|one| one.requests / 500).sum();
        assert_eq!(minutes, 24 * 60 - 2);
        let (name, first) = &day.periods[0].transactions[0];
        assert_eq!(
            (name.as_str(), first.samples, first.errors),
            ("Check-Out", 3_000, 60)
        );
        assert!(day.slopes.iter().all(|one| one.trend == Trend::Steady));
        assert_eq!(day.slopes.len(), SLOPED.len());
    }

    #[test]
    fn shorter_runs_have_a_dozen_periods_that_one_can_count_with() {
        let hour = longevity(&run(1.0, eight, |_| 100.0)).unwrap();
        assert_eq!(hour.period_s, 300.0);
        assert_eq!(hour.periods.len(), 12);
        assert_eq!(period_s(50.0, 1.0), 5.0);
        assert_eq!(period_s(10_799.0, 15.0), 900.0);
        assert_eq!(period_s(10_800.0, 20.0), 3600.0);
        assert!(longevity(&run(4.0 / 60.0, eight, |_| 100.0)).is_none());
    }

    #[test]
    fn percentiles_that_rise_by_the_hour_do_so() {
        let aged = longevity(&run(6.0, eight, |hour| 100.0 + 10.0 * hour)).unwrap();
        for one in &aged.slopes {
            assert_eq!(one.trend, Trend::Grows, "{one:?}");
            let [low, high] = one.slope.interval;
            assert!(low < 10.0 * 1.06 && high > 10.0 * 0.94, "{one:?}");
        }
        // The same with a growing load is not ageing.
        let users = |hour: f64| 1 + hour as usize;
        let loaded = longevity(&run(6.0, users, |hour| 100.0 + 10.0 * hour)).unwrap();
        assert!(!loaded.even_load);
        assert!(loaded.slopes.iter().all(|one| one.trend == Trend::Steady));
    }

    #[test]
    fn what_grows_on_is_distinguished_from_what_fills_and_stays() {
        assert_eq!(verdict(6.0, eight, |hour| 200.0 + 20.0 * hour), Leak::Grows);
        assert_eq!(
            verdict(6.0, eight, |hour| 200.0
                + 100.0 * (1.0 - (-hour * 3.0).exp())),
            Leak::LevelsOff
        );
        assert_eq!(verdict(6.0, eight, |_| 200.0), Leak::Steady);
        assert_eq!(
            verdict(6.0, eight, |hour| 300.0 - 10.0 * hour),
            Leak::Steady
        );
        assert_eq!(
            verdict(0.15, eight, |hour| 200.0 + 900.0 * hour),
            Leak::TooShort
        );
        assert_eq!(
            verdict(6.0, |hour| 1 + hour as usize, |hour| 200.0 + 20.0 * hour),
            Leak::LoadChanged
        );
    }

    #[test]
    fn what_is_held_stands_beside_the_hours() {
        let mut run = run(4.0, eight, |_| 100.0);
        run.probed.series = vec![
            held("connections", 4.0, |_| 16.0),
            held("cpu", 4.0, |_| 50.0),
        ];
        let longevity = longevity(&run).unwrap();
        assert_eq!(longevity.holdings.len(), 1);
        let (source, measure, mean) = &longevity.periods[2].holdings[0];
        assert_eq!(
            (source.as_str(), measure.as_str()),
            ("server", "connections")
        );
        assert!((mean - 16.5).abs() < 0.1, "{mean}");
    }
}
