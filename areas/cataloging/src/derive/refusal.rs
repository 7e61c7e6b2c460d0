//! Why a MARC record was not written, in FOLIO's messages.

use octavo_postgres::DatabaseError;
use octavo_records::{Contention, StoreError};
use uuid::Uuid;

/// Why a record is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The record to change does not exist.
    #[error("{what} record with id: {id} not found")]
    NotFound {
        /// `Instance`, `Holdings` or `Authority`.
        what: &'static str,
        id: Uuid,
    },
    /// The change names no record.
    #[error("The change does not say which {0} record it is of")]
    Unnamed(&'static str),
    /// A version conflict.
    #[error(
        "Cannot update record {id} because it has been changed (optimistic locking): \
         Stored _version is {stored}, _version of request is {sent}"
    )]
    Stale {
        /// The record that the caller read.
        id: Uuid,
        /// Its generation or version now.
        stored: i64,
        /// The one that the caller knows.
        sent: i64,
    },
    /// The rules mapped the record to nothing valid.
    #[error("{0}")]
    Unmapped(String),
    /// A holdings record lacks 004.
    #[error("004 field is missing or empty in MARC holdings record")]
    Without004,
    /// No instance has this human-readable id.
    #[error("No instance found for HRID: {hrid} in tenant: {tenant}")]
    NoInstance {
        /// The content of 004.
        hrid: String,
        /// The tenant's id.
        tenant: String,
    },
    /// The reason of authorities and links.
    #[error(transparent)]
    Authority(octavo_authorities::app::Refusal),
    /// Inventory's reason.
    #[error(transparent)]
    Inventory(octavo_inventory::app::Refusal),
    /// The reason of source records.
    #[error(transparent)]
    Source(octavo_source_records::app::Refusal),
    /// The store's reason.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Contention for Refusal {
    fn is_contention(&self) -> bool {
        match self {
            Refusal::Store(error) => error.is_contention(),
            Refusal::Inventory(refusal) => refusal.is_contention(),
            Refusal::Authority(refusal) => refusal.is_contention(),
            _ => false,
        }
    }
}

impl From<DatabaseError> for Refusal {
    #[track_caller]
    fn from(error: DatabaseError) -> Refusal {
        Refusal::Store(error.into())
    }
}

impl From<octavo_inventory::app::Refusal> for Refusal {
    fn from(refusal: octavo_inventory::app::Refusal) -> Refusal {
        match refusal {
            octavo_inventory::app::Refusal::Store(error) => Refusal::Store(error),
            other => Refusal::Inventory(other),
        }
    }
}

impl From<octavo_source_records::app::Refusal> for Refusal {
    fn from(refusal: octavo_source_records::app::Refusal) -> Refusal {
        match refusal {
            octavo_source_records::app::Refusal::Store(error) => Refusal::Store(error),
            other => Refusal::Source(other),
        }
    }
}

impl From<octavo_authorities::app::Refusal> for Refusal {
    fn from(refusal: octavo_authorities::app::Refusal) -> Refusal {
        match refusal {
            octavo_authorities::app::Refusal::Store(error) => Refusal::Store(error),
            other => Refusal::Authority(other),
        }
    }
}
