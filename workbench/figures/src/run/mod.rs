//! The record of a run: the content of `run.json`. Field names carry their units; every histogram
//! is included, so that runs can be merged, compared and drawn later without their samples.

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

/// The version of the record that this program writes. Records without a version are of the first.
pub const FORMAT: u32 = 2;

/// The results of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    /// [`FORMAT`] of the program that wrote it.
    #[serde(default)]
    pub format: u32,
    #[serde(flatten)]
    pub facts: RunFacts,
    /// The length of the figures in seconds: from the first virtual user's beginning, or from the
    /// end of the warm-up, to the last one's end.
    pub measured_s: f64,
    pub totals: Totals,
    /// By transaction, in the workload's order.
    pub transactions: Vec<TransactionSummary>,
    /// Requests outside any transaction: the logins.
    pub other_requests: Vec<LabelSummary>,
    /// The single stages, if there was more than one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageSummary>,
    #[serde(default)]
    pub timeline: Timeline,
    /// The server's own durations: its `Server-Timing`, by stage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub server_timing: Vec<ServerTiming>,
    pub failures: Vec<FailureSummary>,
    /// How often a branch had no test data and another one was taken.
    pub substitutions: Vec<Substitution>,
    /// How often a virtual user had to wait for test data.
    pub waits: u64,
    /// How often a virtual user logged in again because its token was refused.
    #[serde(default)]
    pub tokens_renewed: u64,
    pub generator: Generator,
    /// The result of `--until`.
    pub until: Option<Verdict>,
    /// Why the run ended early; none when it did not.
    #[serde(default)]
    pub ended_early: Option<String>,
    /// The samples of the probes.
    #[serde(default)]
    pub probed: Probed,
    /// Remarks on the measurement itself: a clock that was set, a full disk.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Requests, failed ones included.
    pub requests: u64,
    pub errors: u64,
    pub requests_per_s: f64,
    /// Iterations that ended.
    pub iterations: u64,
    pub iterations_per_s: f64,
    /// Iterations that the end of the run cut short; their transactions are not in the figures.
    pub iterations_cut_short: u64,
    /// Requests of ramp-up and warm-up, before the figures begin.
    pub warm_up_requests: u64,
    pub warm_up_errors: u64,
    /// Bytes of responses.
    pub received_bytes: u64,
    pub sent_bytes: u64,
}

/// One stage of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StageSummary {
    /// Its name or number.
    pub name: String,
    /// Its load in the notation of the command line: `20 users`, `100..500/s`.
    pub load: String,
    /// When it began, in seconds from the beginning of the run.
    pub from_s: f64,
    /// The length of its figures in seconds.
    pub measured_s: f64,
    pub requests: u64,
    pub errors: u64,
    /// By transaction, with their requests.
    pub transactions: Vec<TransactionSummary>,
    /// Requests outside any transaction.
    pub other_requests: Vec<LabelSummary>,
}

/// One stage of `Server-Timing`, over all responses with it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ServerTiming {
    /// The server's name of it.
    pub stage: String,
    /// Its durations.
    pub series: crate::Series,
    /// By label: the number of responses with it, and their mean duration in ms.
    pub by_label: Vec<(String, u64, f64)>,
}

/// One kind of error.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FailureSummary {
    pub label: String,
    pub kind: String,
    pub count: u64,
    /// The status of the first; 0 without a response.
    pub first_status: u16,
    /// The beginning of the first one's body.
    pub first_body: String,
}

/// A branch that could not be taken.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Substitution {
    /// The branch that was chosen at random.
    pub branch: String,
    pub feeder: String,
    pub count: u64,
}

impl Run {
    /// Every transaction with a time of its own, then every request: name, whether it is a
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

    /// Whether the run had the open model.
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
