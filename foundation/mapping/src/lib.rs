//! Maps MARC records to the records of a catalogue: the mapping rules that a tenant can read and
//! change, and their results. Pure: knows no database, HTTP or tenant.
//!
//! [`Rules`] are FOLIO's notation, compiled once; [`Rules::map`] turns a record into an instance,
//! holdings or an authority, with the ids of a tenant's [`References`]. [`bib`] covers what the
//! rules do not: whether a record makes an instance, its control number, and the holdings and items
//! that it describes.

pub mod bib;
mod codes;
mod defaults;
mod finish;
mod functions;
mod kind;
mod properties;
pub mod references;
pub mod rules;
mod run;
mod table;

pub use bib as fixed;
pub use kind::RecordKind;
pub use references::References;
pub use rules::{Mapped, Problem, RuleProblem, Rules};
pub use table::table;
