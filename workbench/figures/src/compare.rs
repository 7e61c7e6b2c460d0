//! Compares two runs, or a run and published figures: the changes, and whether they can be chance.

use crate::baseline::Published;
use crate::bootstrap::{self, Replicate, STATISTICS};
use crate::run::Run;
use crate::{Series, Statistics};

/// The false discovery rate: of all changes that are called real, at most about this share is not.
const FALSE_SHARE: f64 = 0.05;
/// Histograms have three digits; a smaller change than this, in per cent, counts as none.
const RESOLUTION: f64 = 0.2;

/// The parts of a run that a comparison needs, whichever tool measured it.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Its name in tables.
    pub called: String,
    /// The workload's name, if known.
    pub workload: Option<String>,
    /// Virtual users, if known.
    pub virtual_users: Option<usize>,
    /// Whether times are measured from when requests were due.
    pub open: bool,
    /// Transactions, then requests.
    pub entries: Vec<Entry>,
}

/// One transaction or request of a run.
#[derive(Debug, Clone)]
pub struct Entry {
    pub name: String,
    pub transaction: bool,
    pub statistics: Statistics,
    /// Its histogram; empty where only figures are known.
    pub series: Series,
    /// Its histograms in order of time; empty where they are not known.
    pub steps: Vec<Series>,
}

impl From<&Run> for Measured {
    fn from(run: &Run) -> Self {
        let counted_from = run.facts.ramp_up_s + run.facts.warm_up_s;
        let cut = run.is_open() || run.facts.warm_up_s > 0.0;
        let in_stage = |at_s: f64| {
            let mut stages = run.stages.iter();
            stages.any(|stage| {
                let from_s = stage.from_s + run.facts.warm_up_s;
                at_s >= from_s && at_s < from_s + stage.measured_s
            })
        };
        let counted = |at_s: f64| match run.stages.is_empty() {
            true => !cut || at_s >= counted_from,
            // Growth between stages is in no figure.
            false => in_stage(at_s),
        };
        let summed = run.transactions.iter().enumerate();
        let numbers: Vec<usize> = summed
            .filter(|(_, one)| one.figures.is_some())
            .map(|(number, _)| number)
            .collect();
        let steps = |number: usize| {
            let steps = run.timeline.steps.iter().filter(|step| counted(step.at_s));
            steps
                .filter_map(|step| step.transactions.get(number).cloned())
                .collect()
        };
        let entries = run
            .all()
            .enumerate()
            .map(|(at, (name, transaction, figures))| Entry {
                name: name.to_owned(),
                transaction,
                statistics: *figures.experienced(),
                series: figures.experienced_series().clone(),
                steps: match numbers.get(at).filter(|_| transaction) {
                    Some(number) => steps(*number),
                    None => Vec::new(),
                },
            });
        Self {
            called: run.facts.called(),
            workload: Some(run.facts.workload.clone()),
            virtual_users: Some(run.facts.virtual_users),
            open: run.is_open(),
            entries: entries.collect(),
        }
    }
}

impl Measured {
    pub fn named(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }
}

impl Statistics {
    /// A figure by its name in comparisons.
    pub fn by_name(&self, statistic: &str) -> Option<f64> {
        Some(match statistic {
            "average" => self.average_ms,
            "p50" => self.p50_ms,
            "p75" => self.p75_ms,
            "p90" => self.p90_ms,
            "p95" => self.p95_ms,
            "p99" => self.p99_ms,
            "p99.9" => self.p99_9_ms,
            "minimum" => self.minimum_ms,
            "maximum" => self.maximum_ms,
            _ => return None,
        })
    }
}

/// One figure before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub name: String,
    pub transaction: bool,
    /// `average`, `p50`, …
    pub statistic: String,
    pub before_ms: f64,
    pub after_ms: f64,
    /// The 95 % confidence interval of the change, in per cent; none where it is unknown.
    pub interval_per_cent: Option<[f64; 2]>,
    /// The probability of so large a change when nothing changed.
    pub chance: Option<f64>,
    /// Whether it is more than chance; none where that is unknown.
    pub real: Option<bool>,
}

impl Change {
    /// The change in per cent.
    pub fn per_cent(&self) -> f64 {
        per_cent(self.before_ms, self.after_ms)
    }
}

fn per_cent(before: f64, after: f64) -> f64 {
    100.0 * (after / before.max(1e-9) - 1.0)
}

/// Compares a run with published figures. Those have no distribution, so only the run's own
/// variation decides whether a difference is real.
pub fn with_baseline(baseline: &[Published], run: &Measured) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut drawn: Vec<(&str, Vec<Replicate>)> = Vec::new();
    for one in baseline {
        let Some(entry) = run
            .named(one.name)
            .filter(|entry| entry.statistics.samples > 0)
        else {
            continue;
        };
        let Some(after_ms) = entry.statistics.by_name(one.statistic) else {
            continue;
        };
        if !drawn.iter().any(|(name, _)| *name == one.name) {
            drawn.push((one.name, bootstrap::replicates(&entry.series, &entry.steps)));
        }
        let replicates = drawn.iter().find(|(name, _)| *name == one.name);
        let replicates = replicates.map_or(&[][..], |(_, replicates)| replicates);
        let at = STATISTICS.iter().position(|known| *known == one.statistic);
        let ratios = at.map(|at| {
            let ratios = replicates
                .iter()
                .map(|replicate| per_cent(one.ms, replicate[at]));
            ratios.collect::<Vec<_>>()
        });
        changes.push(change(entry, one.statistic, one.ms, after_ms, ratios));
    }
    judge(&mut changes);
    changes
}

/// Compares two runs: every name that both have.
pub fn of_runs(before: &Measured, after: &Measured) -> Vec<Change> {
    let mut changes = Vec::new();
    for entry in &before.entries {
        let other = after.named(&entry.name);
        let Some(other) =
            other.filter(|other| other.statistics.samples > 0 && entry.statistics.samples > 0)
        else {
            continue;
        };
        let earlier = bootstrap::replicates(&entry.series, &entry.steps);
        let later = bootstrap::replicates(&other.series, &other.steps);
        for (at, statistic) in STATISTICS.into_iter().enumerate() {
            if statistic == "p99.9" {
                continue;
            }
            let figures = (
                entry.statistics.by_name(statistic),
                other.statistics.by_name(statistic),
            );
            let (Some(before_ms), Some(after_ms)) = figures else {
                continue;
            };
            // A summary of another tool has only some figures.
            if before_ms == 0.0 || after_ms == 0.0 {
                continue;
            }
            // Both runs are resampled independently: the second run's resamplings are paired in
            // another order.
            let pairs = earlier
                .iter()
                .zip(later.iter().cycle().skip(later.len() / 2 + 1));
            let ratios = pairs.map(|(before, after)| per_cent(before[at], after[at]));
            changes.push(change(
                other,
                statistic,
                before_ms,
                after_ms,
                Some(ratios.collect()),
            ));
        }
    }
    judge(&mut changes);
    changes
}

fn change(
    entry: &Entry,
    statistic: &str,
    before_ms: f64,
    after_ms: f64,
    ratios: Option<Vec<f64>>,
) -> Change {
    let mut change = Change {
        name: entry.name.clone(),
        transaction: entry.transaction,
        statistic: statistic.to_owned(),
        before_ms,
        after_ms,
        interval_per_cent: None,
        chance: None,
        real: None,
    };
    if let Some(mut ratios) = ratios.filter(|ratios| !ratios.is_empty()) {
        ratios.sort_by(f64::total_cmp);
        let count = ratios.len();
        let at = |share: f64| ratios[((count as f64 * share) as usize).min(count - 1)];
        change.interval_per_cent = Some([at(0.025), at(0.975)]);
        let mean = ratios.iter().sum::<f64>() / count as f64;
        let squares: f64 = ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum();
        let deviation = (squares / count as f64).sqrt();
        change.chance = Some(chance(change.per_cent(), deviation));
    }
    change
}

/// The two-sided probability of at least this change under a normal distribution around zero.
fn chance(change: f64, deviation: f64) -> f64 {
    if change.abs() < RESOLUTION {
        return 1.0;
    }
    if deviation < 1e-9 {
        return 0.0;
    }
    // The complementary error function, to 1e-7 (Abramowitz and Stegun, 7.1.26).
    let x = change.abs() / deviation / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = 0.254_829_592
        + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429)));
    (series * t * (-x * x).exp()).clamp(0.0, 1.0)
}

/// Of a hundred comparisons five look real at 95 % when nothing changed. So the more there are, the
/// less probable by chance each has to be (Benjamini and Hochberg's procedure).
fn judge(changes: &mut [Change]) {
    let mut chances: Vec<f64> = changes.iter().filter_map(|change| change.chance).collect();
    chances.sort_by(f64::total_cmp);
    let count = chances.len() as f64;
    let ranked = chances.iter().enumerate();
    let allowed = ranked
        .filter(|(rank, chance)| **chance <= FALSE_SHARE * (*rank as f64 + 1.0) / count)
        .map(|(_, chance)| *chance)
        .fold(None, |_, chance| Some(chance));
    for change in changes {
        change.real = change
            .chance
            .map(|chance| allowed.is_some_and(|allowed| chance <= allowed));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn entry(name: &str, transaction: bool, times: impl Iterator<Item = u64>) -> Entry {
        let mut series = Series::default();
        times.for_each(|us| series.record(Duration::from_micros(us), true));
        Entry {
            name: name.to_owned(),
            transaction,
            statistics: series.statistics(),
            series,
            steps: Vec::new(),
        }
    }

    /// Times around a median, spread evenly by so many per cent to both sides.
    fn run(middle_ms: u64, others: usize) -> Measured {
        let times = |middle: u64| (0..400).map(move |at| middle * (800 + at) + at % 7);
        let mut entries = vec![entry("Check-Out Controller", true, times(middle_ms))];
        for other in 0..others {
            entries.push(entry(&format!("GET_{other}"), false, times(50)));
        }
        Measured {
            called: "a run".to_owned(),
            workload: Some("check-in-check-out".to_owned()),
            virtual_users: Some(20),
            open: false,
            entries,
        }
    }

    fn of<'c>(changes: &'c [Change], name: &str, statistic: &str) -> &'c Change {
        let wanted = |one: &&Change| one.name == name && one.statistic == statistic;
        changes.iter().find(wanted).unwrap()
    }

    #[test]
    fn what_lies_apart_is_real_and_what_is_equal_is_not() {
        let changes = of_runs(&run(100, 20), &run(108, 20));
        let average = of(&changes, "Check-Out Controller", "average");
        assert_eq!(average.real, Some(true), "{average:?}");
        assert!((average.per_cent() - 8.0).abs() < 0.2);
        let interval = average.interval_per_cent.unwrap();
        assert!(
            interval[0] < 8.0 && interval[1] > 8.0 && interval[0] > 4.0,
            "{interval:?}"
        );
        let same = changes.iter().filter(|one| one.name.starts_with("GET"));
        assert_eq!(same.filter(|one| one.real == Some(true)).count(), 0);
        assert_eq!(changes.len(), 21 * 5);
    }

    #[test]
    fn a_hair_is_chance_until_there_are_many_samples() {
        let changes = of_runs(&run(1000, 0), &run(1004, 0));
        assert_eq!(
            of(&changes, "Check-Out Controller", "p50").real,
            Some(false)
        );
    }

    #[test]
    fn a_published_figure_is_compared_with_where_ours_lies() {
        let (_, baseline) = crate::baseline::baseline("check-in-check-out", "nolana", 20).unwrap();
        let changes = with_baseline(&baseline, &run(100, 0));
        assert!(changes.iter().all(|one| one.name == "Check-Out Controller"));
        assert!(
            changes
                .iter()
                .all(|one| one.real == Some(true) && one.per_cent() < -50.0)
        );
        assert!(changes.len() >= 4, "{changes:?}");
    }

    #[test]
    fn chance_is_the_normal_distributions() {
        for (deviations, expected) in [(1.0, 0.317_31), (1.96, 0.05), (3.0, 0.0027)] {
            assert!(
                (chance(deviations, 1.0) - expected).abs() < 1e-4,
                "{deviations}"
            );
        }
        assert_eq!(chance(0.1, 0.0), 1.0);
        assert_eq!(chance(5.0, 0.0), 0.0);
    }
}
