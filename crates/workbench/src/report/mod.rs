//! What is told after a run: the summary in figures, as a table for people and as JSON for machines.

mod generator;
mod summary;
mod table;

pub use generator::{Generator, OpenModel};
pub use summary::{
    FailureSummary, LabelSummary, RunFacts, Substitution, Summary, Totals, TransactionSummary,
};
pub use table::table;
