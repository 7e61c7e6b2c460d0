//! A run in figures. Its serde form is the JSON file; field names carry their units.

use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use super::generator::Generator;
use crate::drive::{RunOptions, Verdict};
use crate::http::Endpoint;
use crate::measure::{Catalogue, Intended, Recorder, Series, Statistics};
use crate::workload::Workload;

/// A run in figures.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// What was run.
    #[serde(flatten)]
    pub facts: RunFacts,
    /// What is in the figures, in seconds: from the first virtual user's begin, or from the end of
    /// the warm-up, to the last one's end.
    pub measured_s: f64,
    /// Sums over everything.
    pub totals: Totals,
    /// By transaction, in the workload's order.
    pub transactions: Vec<TransactionSummary>,
    /// Requests outside any transaction: the logins.
    pub other_requests: Vec<LabelSummary>,
    /// Errors by kind.
    pub failures: Vec<FailureSummary>,
    /// How often a branch had no test data and another one was taken.
    pub substitutions: Vec<Substitution>,
    /// How often a virtual user had to wait for test data.
    pub waits: u64,
    /// The generator's own part.
    pub generator: Generator,
    /// How the condition of `--until` ended.
    pub until: Option<Verdict>,
}

/// What was run, as it was asked for.
#[derive(Debug, Clone, Serialize)]
pub struct RunFacts {
    /// The workload's name.
    pub workload: String,
    /// The server.
    pub server: String,
    /// The tenant.
    pub tenant: String,
    /// When the set-up was done.
    pub started_at: Timestamp,
    /// Virtual users.
    pub virtual_users: usize,
    /// Worker threads of the driver.
    pub threads: usize,
    /// In seconds.
    pub ramp_up_s: f64,
    /// In seconds, ramp-up included.
    pub duration_s: f64,
    /// In seconds, after the ramp-up; what began before it was over is not in the figures.
    pub warm_up_s: f64,
    /// "plan" or "none".
    pub think_time: &'static str,
    /// The model: "closed loop", each virtual user sends when its last answer is there, or "open"
    /// with iterations a second, due whether the server keeps up or not.
    pub arrival: String,
    /// Branch names with their weights.
    pub distribution: Vec<(String, u32)>,
    /// The seed of all random choices.
    pub seed: u64,
}

/// Sums over everything.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Totals {
    /// Requests, failed ones included.
    pub requests: u64,
    /// Failed requests.
    pub errors: u64,
    /// Requests a second.
    pub requests_per_s: f64,
    /// Iterations that came to an end.
    pub iterations: u64,
    /// Iterations a second.
    pub iterations_per_s: f64,
    /// Iterations that the end of the run cut short; their transactions are not in the figures.
    pub iterations_cut_short: u64,
    /// Requests before the figures begin, of ramp-up and warm-up.
    pub warm_up_requests: u64,
    /// Failed ones of them.
    pub warm_up_errors: u64,
    /// Bytes of answers.
    pub received_bytes: u64,
    /// Bytes of requests.
    pub sent_bytes: u64,
}

/// A transaction and its requests.
#[derive(Debug, Clone, Serialize)]
pub struct TransactionSummary {
    /// The name.
    pub name: String,
    /// Of the sums of its requests' times; none for requests that are not summed up.
    pub statistics: Option<Statistics>,
    /// The same from when it was due, in the open model.
    pub intended: Option<Statistics>,
    /// By label.
    pub requests: Vec<LabelSummary>,
}

/// The requests of one label.
#[derive(Debug, Clone, Serialize)]
pub struct LabelSummary {
    /// The label.
    pub label: String,
    /// Their times.
    pub statistics: Statistics,
    /// The same from when they were due, in the open model: of an iteration's first request, and as
    /// they are of those that follow an answer.
    pub intended: Option<Statistics>,
}

/// One kind of error.
#[derive(Debug, Clone, Serialize)]
pub struct FailureSummary {
    /// The request's label.
    pub label: String,
    /// What went wrong.
    pub kind: String,
    /// How often.
    pub count: u64,
    /// The status of the first; 0 without an answer.
    pub first_status: u16,
    /// The begin of the first one's body.
    pub first_body: String,
}

/// A branch that could not be taken.
#[derive(Debug, Clone, Serialize)]
pub struct Substitution {
    /// The branch that the dice chose.
    pub branch: String,
    /// The feeder that was empty.
    pub feeder: String,
    /// How often.
    pub count: u64,
}

impl RunFacts {
    pub(crate) fn new(options: &RunOptions, endpoint: &Endpoint, weights: &[u32]) -> Self {
        let names = options
            .workload
            .branches
            .iter()
            .map(|branch| branch.name.clone());
        Self {
            workload: options.workload.name.clone(),
            server: format!("{}{}", endpoint.origin, endpoint.prefix),
            tenant: options.target.tenant.clone(),
            started_at: Timestamp::now(),
            virtual_users: options.virtual_users,
            threads: options.threads.min(options.virtual_users),
            ramp_up_s: options.ramp_up.as_secs_f64(),
            duration_s: options.duration.as_secs_f64(),
            warm_up_s: options.warm_up.as_secs_f64(),
            think_time: if options.think { "plan" } else { "none" },
            arrival: match options.rate {
                None => "closed loop".to_owned(),
                Some(rate) => format!("open, {rate}"),
            },
            distribution: names.zip(weights.iter().copied()).collect(),
            seed: options.seed,
        }
    }
}

impl Summary {
    pub(crate) fn new(
        facts: RunFacts,
        generator: Generator,
        until: Option<Verdict>,
        workload: &Workload,
        catalogue: &Catalogue,
        merged: &Recorder,
        measured: Duration,
    ) -> Self {
        let labels = |transaction| labels(catalogue, merged, transaction);
        let transactions = workload.transactions.iter().enumerate();
        let transactions = transactions.map(|(number, transaction)| TransactionSummary {
            name: transaction.name.clone(),
            statistics: transaction
                .summed
                .then(|| merged.transactions[number].statistics()),
            intended: merged
                .intended
                .as_ref()
                .filter(|_| transaction.summed)
                .map(|intended| intended.transactions[number].statistics()),
            requests: labels(Some(number)),
        });
        let failures = merged
            .failures
            .iter()
            .map(|(label, kind, failure)| FailureSummary {
                label: catalogue.label(label).to_owned(),
                kind: kind.to_owned(),
                count: failure.count,
                first_status: failure.first_status,
                first_body: failure.first_body.clone(),
            });
        let substitutions = merged
            .substitutions
            .iter()
            .map(|((branch, feeder), count)| {
                let branch = workload.branches[*branch].name.clone();
                Substitution {
                    branch,
                    feeder: workload.feeders[*feeder].name.clone(),
                    count: *count,
                }
            });
        Self {
            facts,
            measured_s: measured.as_secs_f64(),
            totals: totals(merged, measured),
            transactions: transactions.collect(),
            other_requests: labels(None),
            failures: failures.collect(),
            substitutions: substitutions.collect(),
            waits: merged.waits,
            generator,
            until,
        }
    }
}

fn totals(merged: &Recorder, measured: Duration) -> Totals {
    let seconds = measured.as_secs_f64().max(1e-9);
    let requests = merged.requests.iter().map(Series::len).sum();
    Totals {
        requests,
        errors: merged.requests.iter().map(Series::errors).sum(),
        requests_per_s: requests as f64 / seconds,
        iterations: merged.iterations,
        iterations_per_s: merged.iterations as f64 / seconds,
        iterations_cut_short: merged.cut_short,
        warm_up_requests: merged.warm_up.requests,
        warm_up_errors: merged.warm_up.errors,
        received_bytes: merged.received,
        sent_bytes: merged.sent,
    }
}

fn labels(
    catalogue: &Catalogue,
    merged: &Recorder,
    transaction: Option<usize>,
) -> Vec<LabelSummary> {
    let numbers = catalogue.within(transaction);
    let intended: Option<&Intended> = merged.intended.as_ref();
    let labels = numbers.map(|number| LabelSummary {
        label: catalogue.label(number).to_owned(),
        statistics: merged.requests[number].statistics(),
        intended: intended.map(|intended| intended.requests[number].statistics()),
    });
    labels.collect()
}
