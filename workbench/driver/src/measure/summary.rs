//! Turns the workers' results into the record of the run.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use octavo_client::Endpoint;
use octavo_figures::run::{
    FORMAT, FailureSummary, Figures, Generator, LabelSummary, Probed, Run, RunFacts, StageSummary,
    Substitution, Timeline, Totals, TransactionSummary,
};

use super::Catalogue;
use super::recorder::Bounds;
use super::results::{Results, StageResults, Tally};
use crate::drive::{Load, RunOptions, Stage};
use crate::workload::Workload;

/// The facts of the run from its options.
pub(crate) fn facts(options: &RunOptions, endpoint: &Endpoint, weights: &[u32]) -> RunFacts {
    let branches = options.workload.branches.iter();
    let names = branches.map(|branch| branch.name.clone());
    RunFacts {
        workload: options.workload.name.clone(),
        server: format!("{}{}", endpoint.origin, endpoint.prefix),
        tenant: options.target.tenant.clone(),
        started_at: Timestamp::now(),
        virtual_users: options.most_users(),
        threads: options.threads.min(options.most_users()),
        generators: 1,
        ramp_up_s: options.ramp_up.as_secs_f64(),
        duration_s: options.length().as_secs_f64(),
        warm_up_s: options.warm_up.as_secs_f64(),
        think_time: if options.think { "plan" } else { "none" }.to_owned(),
        arrival: arrival(&options.all_stages()),
        distribution: names.zip(weights.iter().copied()).collect(),
        seed: options.seed,
        name: options.name.clone(),
    }
}

fn arrival(stages: &[Stage]) -> String {
    let loads: Vec<String> = stages.iter().map(|stage| stage.load.to_string()).collect();
    match stages {
        [
            Stage {
                load: Load::Users { .. },
                ..
            },
        ] => "closed loop".to_owned(),
        [
            Stage {
                load: Load::Users { .. },
                ..
            },
            ..,
        ] => format!("closed loop, {}", loads.join(", ")),
        _ => format!("open, {}", loads.join(", ")),
    }
}

/// The parts of a run's record.
pub(crate) struct Gathered<'g> {
    pub(crate) facts: &'g RunFacts,
    pub(crate) workload: &'g Workload,
    pub(crate) catalogue: &'g Catalogue,
    pub(crate) stages: &'g [Stage],
    /// When each stage begins, from the beginning of the run.
    pub(crate) begins: Vec<Duration>,
    pub(crate) bounds: &'g [Bounds],
    /// The end of the run, or now.
    pub(crate) until: Instant,
    pub(crate) results: &'g Results,
    pub(crate) open: bool,
}

impl Gathered<'_> {
    pub(crate) fn run(&self, generator: Generator) -> Run {
        let results = self.results;
        let whole = results.whole();
        let seconds = self.measured_s();
        let (transactions, other_requests) = self.figures(&whole, seconds);
        let failures = results.failures.iter();
        let failures = failures.map(|(label, kind, failure)| FailureSummary {
            label: self.catalogue.label(label).to_owned(),
            kind: kind.to_owned(),
            count: failure.count,
            first_status: failure.first_status,
            first_body: failure.first_body.clone(),
        });
        let substitutions = results.substitutions.iter();
        let substitutions = substitutions.map(|((branch, feeder), count)| Substitution {
            branch: self.workload.branches[*branch].name.clone(),
            feeder: self.workload.feeders[*feeder].name.clone(),
            count: *count,
        });
        Run {
            format: FORMAT,
            facts: self.facts.clone(),
            measured_s: seconds,
            totals: self.totals(&whole, seconds),
            transactions,
            other_requests,
            stages: match self.stages.len() {
                0 | 1 => Vec::new(),
                _ => self.by_stage(),
            },
            timeline: Timeline::default(),
            server_timing: results
                .server_times
                .timings(|label| self.catalogue.label(label)),
            failures: failures.collect(),
            substitutions: substitutions.collect(),
            waits: results.waits,
            tokens_renewed: results.tokens_renewed,
            generator,
            until: None,
            ended_early: None,
            probed: Probed::default(),
            notes: Vec::new(),
        }
    }

    /// How long the figures of a stage cover: to its end; for the last stage to the last response.
    fn stage_s(&self, number: usize) -> f64 {
        let bounds = &self.bounds[number];
        let to = match number + 1 == self.bounds.len() {
            true => self.until,
            false => bounds.to.min(self.until),
        };
        match bounds.counted {
            true => to.saturating_duration_since(bounds.from).as_secs_f64(),
            false => 0.0,
        }
    }

    fn measured_s(&self) -> f64 {
        (0..self.bounds.len())
            .map(|number| self.stage_s(number))
            .sum()
    }

    fn by_stage(&self) -> Vec<StageSummary> {
        let stages = self.stages.iter().enumerate();
        let counted = stages.filter(|(number, stage)| stage.counted && self.stage_s(*number) > 0.0);
        counted
            .map(|(number, stage)| {
                let results = &self.results.stages[number];
                let seconds = self.stage_s(number);
                let (transactions, other_requests) = self.figures(results, seconds);
                let (requests, errors) = results.requests_and_errors();
                StageSummary {
                    name: stage
                        .name
                        .clone()
                        .unwrap_or_else(|| (number + 1).to_string()),
                    load: stage.load.to_string(),
                    from_s: self.begins[number].as_secs_f64(),
                    measured_s: seconds,
                    requests,
                    errors,
                    transactions,
                    other_requests,
                }
            })
            .collect()
    }

    fn figures(
        &self,
        results: &StageResults,
        seconds: f64,
    ) -> (Vec<TransactionSummary>, Vec<LabelSummary>) {
        let figures = |tally: &Tally| {
            let intended = self.open.then(|| tally.intended.clone());
            Figures::new(
                tally.series.clone(),
                intended,
                tally.received,
                tally.sent,
                seconds,
            )
        };
        let labels = |transaction: Option<usize>| -> Vec<LabelSummary> {
            let numbers = self.catalogue.within(transaction);
            let labels = numbers.map(|number| LabelSummary {
                label: self.catalogue.label(number).to_owned(),
                figures: figures(&results.requests[number]),
            });
            labels.collect()
        };
        let transactions = self.workload.transactions.iter().enumerate();
        let transactions = transactions.map(|(number, transaction)| TransactionSummary {
            name: transaction.name.clone(),
            figures: transaction
                .summed
                .then(|| figures(&results.transactions[number])),
            requests: labels(Some(number)),
        });
        (transactions.collect(), labels(None))
    }

    fn totals(&self, whole: &StageResults, seconds: f64) -> Totals {
        let (requests, errors) = whole.requests_and_errors();
        let bytes = |of: fn(&Tally) -> u64| whole.requests.iter().map(of).sum();
        let per_s = |count: u64| count as f64 / seconds.max(1e-9);
        Totals {
            requests,
            errors,
            requests_per_s: per_s(requests),
            iterations: self.results.iterations,
            iterations_per_s: per_s(self.results.iterations),
            iterations_cut_short: self.results.cut_short,
            warm_up_requests: self.results.warm_up.requests,
            warm_up_errors: self.results.warm_up.errors,
            received_bytes: bytes(|tally| tally.received),
            sent_bytes: bytes(|tally| tally.sent),
        }
    }
}
