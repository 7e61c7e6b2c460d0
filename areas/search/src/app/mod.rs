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

/// Why an operation was not carried out.
#[derive(Debug)]
pub enum Failure {
    /// The request asks for what there is not, or for it wrongly.
    Refused(Fault),
    /// There is no job of this id.
    NoSuchJob(String),
    /// FOLIO's service gives up, with this sentence.
    Service(String),
    /// FOLIO's message for a body that cannot be taken, with the parameter it names.
    Unprocessable(Fault),
    /// FOLIO's message for what is not there.
    Missing(String),
    /// The records could not be read.
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
