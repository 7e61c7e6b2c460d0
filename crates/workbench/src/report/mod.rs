//! What is told after a run: the summary in figures, as a table for people and as JSON for machines.

mod baseline;
mod compare;
mod generator;
mod summary;
mod table;

pub use baseline::{Published, baseline};
pub use compare::{Change, Measured, comparison, of_runs, with_baseline};
pub use generator::{Generator, OpenModel};
pub use summary::{
    FailureSummary, LabelSummary, RunFacts, Substitution, Summary, Totals, TransactionSummary,
};
pub use table::table;
