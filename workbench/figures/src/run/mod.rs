//! The record of a run: what `run.json` holds. Field names carry their units; every histogram is in
//! it, so that runs can be merged, compared and drawn later without their samples.

mod facts;
mod generator;
mod label;
mod merge;
mod probed;
mod timeline;
mod verdict;

use serde::{Deserialize, Serialize};

pub use facts::RunFacts;
pub use generator::{Generator, OpenModel};
pub use label::{Figures, LabelSummary, TransactionSummary};
pub use merge::MergeError;
pub use probed::{MissingIndex, Probed, ProbedSeries, Statement, TableGrowth};
pub use timeline::{Step, Timeline};
pub use verdict::Verdict;

/// The version of the record that this program writes. Records without one are of the first.
pub const FORMAT: u32 = 2;

/// A run in figures.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    /// [`FORMAT`] of the program that wrote it.
    #[serde(default)]
    pub format: u32,
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
    /// The stages one by one, when there was more than one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageSummary>,
    /// The run over time.
    #[serde(default)]
    pub timeline: Timeline,
    /// Where the server says that its time went: its `Server-Timing`, by stage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub server_timing: Vec<ServerTiming>,
    /// Errors by kind.
    pub failures: Vec<FailureSummary>,
    /// How often a branch had no test data and another one was taken.
    pub substitutions: Vec<Substitution>,
    /// How often a virtual user had to wait for test data.
    pub waits: u64,
    /// How often a virtual user logged in again because its token was refused.
    #[serde(default)]
    pub tokens_renewed: u64,
    /// The generator's own part.
    pub generator: Generator,
    /// How the condition of `--until` ended.
    pub until: Option<Verdict>,
    /// Why the run ended before its time; none when it did not.
    #[serde(default)]
    pub ended_early: Option<String>,
    /// What was seen beside the load.
    #[serde(default)]
    pub probed: Probed,
    /// What a reader has to know about the measuring itself: a clock that stepped, a full disk.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Sums over everything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
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

/// One stage of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StageSummary {
    /// Its name, or its number.
    pub name: String,
    /// Its load, as it was asked for: `20 users`, `100..500/s`.
    pub load: String,
    /// When it began, in seconds from the begin of the run.
    pub from_s: f64,
    /// How long its figures cover, in seconds.
    pub measured_s: f64,
    /// Requests and errors.
    pub requests: u64,
    /// Failed requests.
    pub errors: u64,
    /// By transaction, with their requests.
    pub transactions: Vec<TransactionSummary>,
    /// Requests outside any transaction.
    pub other_requests: Vec<LabelSummary>,
}

/// One stage of `Server-Timing`, over all answers that told it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ServerTiming {
    /// The server's name for it.
    pub stage: String,
    /// The times it told.
    pub series: crate::Series,
    /// By label: how many answers told it, and their mean time in ms.
    pub by_label: Vec<(String, u64, f64)>,
}

/// One kind of error.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Substitution {
    /// The branch that the dice chose.
    pub branch: String,
    /// The feeder that was empty.
    pub feeder: String,
    /// How often.
    pub count: u64,
}

impl Run {
    /// Every transaction that has a time of its own, then every request: name, whether it is a
    /// transaction, figures.
    pub fn all(&self) -> impl Iterator<Item = (&str, bool, &Figures)> {
        figures_of(&self.transactions, &self.other_requests)
    }

    /// The figures of a transaction or request by its exact name.
    pub fn named(&self, name: &str) -> Option<&Figures> {
        self.all()
            .find(|(other, ..)| *other == name)
            .map(|(.., figures)| figures)
    }

    /// Whether load came at a rate of its own.
    pub fn is_open(&self) -> bool {
        self.generator.open.is_some()
    }
}

impl StageSummary {
    /// As [`Run::all`].
    pub fn all(&self) -> impl Iterator<Item = (&str, bool, &Figures)> {
        figures_of(&self.transactions, &self.other_requests)
    }
}

fn figures_of<'r>(
    transactions: &'r [TransactionSummary],
    others: &'r [LabelSummary],
) -> impl Iterator<Item = (&'r str, bool, &'r Figures)> {
    let sums = transactions.iter().filter_map(|one| {
        let figures = one.figures.as_ref()?;
        Some((one.name.as_str(), true, figures))
    });
    let requests = transactions.iter().flat_map(|one| &one.requests);
    let requests = requests.chain(others);
    sums.chain(requests.map(|one| (one.label.as_str(), false, &one.figures)))
}
