//! From what the workers recorded to the record of the run.

use std::time::Duration;

use jiff::Timestamp;
use octavo_client::Endpoint;
use octavo_figures::Series;
use octavo_figures::run::{
    FORMAT, FailureSummary, Figures, Generator, LabelSummary, Probed, Run, RunFacts, Substitution,
    Timeline, Totals, TransactionSummary, Verdict,
};

use super::{Catalogue, Recorder};
use crate::drive::RunOptions;
use crate::workload::Workload;

/// What was run, as it was asked for.
pub(crate) fn facts(options: &RunOptions, endpoint: &Endpoint, weights: &[u32]) -> RunFacts {
    let branches = options.workload.branches.iter();
    let names = branches.map(|branch| branch.name.clone());
    RunFacts {
        workload: options.workload.name.clone(),
        server: format!("{}{}", endpoint.origin, endpoint.prefix),
        tenant: options.target.tenant.clone(),
        started_at: Timestamp::now(),
        virtual_users: options.virtual_users,
        threads: options.threads.min(options.virtual_users),
        generators: 1,
        ramp_up_s: options.ramp_up.as_secs_f64(),
        duration_s: options.duration.as_secs_f64(),
        warm_up_s: options.warm_up.as_secs_f64(),
        think_time: if options.think { "plan" } else { "none" }.to_owned(),
        arrival: match options.rate {
            None => "closed loop".to_owned(),
            Some(rate) => format!("open, {rate}"),
        },
        distribution: names.zip(weights.iter().copied()).collect(),
        seed: options.seed,
        name: None,
    }
}

/// The record of a run.
pub(crate) fn record(
    facts: RunFacts,
    generator: Generator,
    until: Option<Verdict>,
    workload: &Workload,
    catalogue: &Catalogue,
    merged: &Recorder,
    measured: Duration,
) -> Run {
    let seconds = measured.as_secs_f64();
    let figures = |series: &Series, intended: Option<&Series>| {
        Figures::new(series.clone(), intended.cloned(), 0, 0, seconds)
    };
    let labels = |transaction: Option<usize>| -> Vec<LabelSummary> {
        let numbers = catalogue.within(transaction);
        let labels = numbers.map(|number| LabelSummary {
            label: catalogue.label(number).to_owned(),
            figures: figures(
                &merged.requests[number],
                merged
                    .intended
                    .as_ref()
                    .map(|intended| &intended.requests[number]),
            ),
        });
        labels.collect()
    };
    let transactions = workload.transactions.iter().enumerate();
    let transactions = transactions.map(|(number, transaction)| TransactionSummary {
        name: transaction.name.clone(),
        figures: transaction.summed.then(|| {
            figures(
                &merged.transactions[number],
                merged
                    .intended
                    .as_ref()
                    .map(|intended| &intended.transactions[number]),
            )
        }),
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
    let substitutions = merged.substitutions.iter();
    let substitutions = substitutions.map(|((branch, feeder), count)| Substitution {
        branch: workload.branches[*branch].name.clone(),
        feeder: workload.feeders[*feeder].name.clone(),
        count: *count,
    });
    Run {
        format: FORMAT,
        facts,
        measured_s: seconds,
        totals: totals(merged, measured),
        transactions: transactions.collect(),
        other_requests: labels(None),
        stages: Vec::new(),
        timeline: Timeline::default(),
        server_timing: Vec::new(),
        failures: failures.collect(),
        substitutions: substitutions.collect(),
        waits: merged.waits,
        tokens_renewed: 0,
        generator,
        until,
        ended_early: None,
        probed: Probed::default(),
        notes: Vec::new(),
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
