//! Rounds: the same load measured repeatedly, with growth of the data in between. This simulates a
//! long time; what matters is not the hour but how many transactions had been done by then.

use serde::{Deserialize, Serialize};

use crate::longevity::SLOPED;
use crate::run::Run;
use crate::{Slope, Statistics, Trend};

/// The unit of slopes, in transactions.
pub const UNIT: f64 = 1_000.0;
/// The fewest rounds of a regression line.
const ROUNDS_LEAST: usize = 3;

/// The rounds of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Rounds {
    /// In order.
    pub rounds: Vec<Round>,
    /// The slopes of each transaction's percentiles, in ms for each [`UNIT`] of transactions done.
    pub slopes: Vec<RoundSlope>,
}

/// One round.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Round {
    pub name: String,
    /// When it began, in seconds from the beginning of the run.
    pub at_s: f64,
    /// How many transactions had been done before it, growth included.
    pub done_before: u64,
    pub transactions: Vec<(String, Statistics)>,
}

/// The slope of one percentile.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RoundSlope {
    pub transaction: String,
    /// `p50`, …
    pub statistic: String,
    /// In ms for each [`UNIT`] of transactions done.
    pub slope: Slope,
    pub trend: Trend,
}

/// The rounds of a run; `None` when its stages are not the same load repeatedly.
pub fn rounds(run: &Run) -> Option<Rounds> {
    let alike = run
        .stages
        .windows(2)
        .all(|pair| pair[0].load == pair[1].load);
    if run.stages.len() < ROUNDS_LEAST || !alike {
        return None;
    }
    let rounds: Vec<Round> = run
        .stages
        .iter()
        .map(|stage| {
            let before = run
                .timeline
                .steps
                .iter()
                .filter(|step| step.at_s < stage.from_s);
            let transactions = stage.all().filter(|(_, transaction, _)| *transaction);
            Round {
                name: stage.name.clone(),
                at_s: stage.from_s,
                done_before: before.map(|step| step.together().len()).sum(),
                transactions: transactions
                    .map(|(name, _, figures)| (name.to_owned(), *figures.experienced()))
                    .collect(),
            }
        })
        .collect();
    let slopes = slopes(&rounds);
    Some(Rounds { rounds, slopes })
}

fn slopes(rounds: &[Round]) -> Vec<RoundSlope> {
    let mut slopes = Vec::new();
    let Some(first) = rounds.first() else {
        return slopes;
    };
    for (name, _) in &first.transactions {
        for (statistic, _) in SLOPED {
            let points = rounds.iter().filter_map(|round| {
                let (_, figures) = round.transactions.iter().find(|(other, _)| other == name)?;
                let done = round.done_before as f64 / UNIT;
                (figures.samples > 0).then_some((done, figures.by_name(statistic)?))
            });
            let Some(slope) = Slope::through(&points.collect::<Vec<_>>()) else {
                continue;
            };
            slopes.push(RoundSlope {
                transaction: name.clone(),
                statistic: statistic.to_owned(),
                slope,
                trend: slope.trend(),
            });
        }
    }
    slopes
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Series;
    use crate::run::{Figures, StageSummary, Step, TransactionSummary};

    fn stage(number: u64, ms: u64, load: &str) -> StageSummary {
        let mut series = Series::default();
        (0..50).for_each(|at| series.record(Duration::from_millis(ms + at % 2), true));
        StageSummary {
            name: format!("round {number}"),
            load: load.to_owned(),
            from_s: 100.0 * number as f64,
            measured_s: 50.0,
            requests: 50,
            errors: 0,
            transactions: vec![TransactionSummary {
                name: "Check-Out".to_owned(),
                figures: Some(Figures::new(series, None, 0, 0, 50.0)),
                requests: Vec::new(),
            }],
            other_requests: Vec::new(),
        }
    }

    fn run(stages: Vec<StageSummary>) -> Run {
        let json = serde_json::json!({
            "workload": "w", "server": "s", "tenant": "t", "started_at": "2026-01-01T00:00:00Z",
            "virtual_users": 1, "threads": 1, "ramp_up_s": 0.0, "duration_s": 1.0, "warm_up_s": 0.0,
            "think_time": "plan", "arrival": "", "distribution": [], "seed": 1, "measured_s": 1.0,
            "totals": crate::run::Totals::default(), "transactions": [], "other_requests": [],
            "failures": [], "substitutions": [], "waits": 0, "generator": crate::run::Generator::default(),
            "until": null,
        });
        let mut run: Run = serde_json::from_value(json).unwrap();
        run.stages = stages;
        // A thousand transactions in each hundred seconds.
        run.timeline.step_s = 100.0;
        for at in 0..6 {
            let mut series = Series::default();
            (0..1_000).for_each(|_| series.record(Duration::from_millis(1), true));
            run.timeline.steps.push(Step {
                at_s: 100.0 * f64::from(at),
                seconds: 100.0,
                transactions: vec![series],
                ..Step::default()
            });
        }
        run
    }

    #[test]
    fn what_grows_with_the_data_is_reported_by_the_thousand() {
        let stages = (0..5).map(|number| stage(number, 20 + 4 * number, "8 users"));
        let found = rounds(&run(stages.collect())).unwrap();
        let done: Vec<_> = found.rounds.iter().map(|round| round.done_before).collect();
        assert_eq!(done, [0, 1_000, 2_000, 3_000, 4_000]);
        let p50 = found
            .slopes
            .iter()
            .find(|one| one.statistic == "p50")
            .unwrap();
        assert!((p50.slope.slope - 4.0).abs() < 0.1, "{p50:?}");
        assert_eq!(p50.trend, Trend::Grows);
        let stages = (0..5).map(|number| stage(number, 20, "8 users"));
        let found = rounds(&run(stages.collect())).unwrap();
        assert!(found.slopes.iter().all(|one| one.trend == Trend::Steady));
    }

    #[test]
    fn stages_of_different_loads_are_no_rounds() {
        let stages = ["1 users", "2 users", "3 users"].into_iter().zip(0..);
        let stages = stages
            .map(|(load, number)| stage(number, 20, load))
            .collect();
        assert!(rounds(&run(stages)).is_none());
        assert!(rounds(&run(Vec::new())).is_none());
    }
}
