//! From MARC to the records of a catalogue: the mapping rules that a tenant can read and change,
//! and what they make of a record. Pure: it knows no database, HTTP or tenant.

pub mod fixed;
pub mod references;
pub mod rules;

pub use references::References;
pub use rules::{Mapped, Problem, RecordKind, RuleProblem, Rules};
