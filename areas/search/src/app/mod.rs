//! The operations of this area.

pub mod authorities;
pub mod browse;
pub mod config;
pub mod facets;
pub mod features;
pub mod fill;
pub mod jobs;
pub mod languages;
pub mod search;
pub mod suggest;

use octavo_records::StoreError;

use crate::query::Fault;

/// Why an operation failed.
#[derive(Debug)]
pub enum Failure {
    /// An invalid request.
    Refused(Fault),
    /// There is no job of this id.
    NoSuchJob(String),
    /// FOLIO's service fails with this message.
    Service(String),
    /// FOLIO's message for an invalid body, with its parameter.
    Unprocessable(Fault),
    /// FOLIO's message for a missing record.
    Missing(String),
    /// A database error.
    Store(StoreError),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Refused(fault)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Store(error)
    }
}
