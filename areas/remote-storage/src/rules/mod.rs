//! Decisions about remote storage, without I/O.

pub mod accession;
pub mod arrival;
pub mod body;
pub mod configuration;
pub mod log_record;
mod refusal;

pub use refusal::Refusal;
