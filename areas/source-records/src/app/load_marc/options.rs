//! What is asked of a load, and what it tells.

use octavo_records::StoreError;
use uuid::Uuid;

/// Records stored in one transaction.
const BATCH_RECORDS_DEFAULT: usize = 500;

/// What a load makes of each record beside its instance.
#[derive(Debug, Clone, Copy)]
pub struct LoadOptions {
    /// Holdings, if wanted.
    pub holdings: Option<HoldingsOptions>,
    /// Records stored in one transaction; at least 1.
    pub batch_records: usize,
}

impl Default for LoadOptions {
    /// Instances and source records only.
    fn default() -> LoadOptions {
        LoadOptions {
            holdings: None,
            batch_records: BATCH_RECORDS_DEFAULT,
        }
    }
}

/// What the records do not say of their holdings.
#[derive(Debug, Clone, Copy)]
pub struct HoldingsOptions {
    /// The location, where field 852 names none by its code.
    pub location_id: Uuid,
    /// The type of holdings, if any.
    pub holdings_type_id: Option<Uuid>,
    /// Items, if wanted: one for each barcode.
    pub items: Option<ItemOptions>,
}

/// What the records do not say of their items.
#[derive(Debug, Clone, Copy)]
pub struct ItemOptions {
    /// The kind of material.
    pub material_type_id: Uuid,
    /// The kind of loan.
    pub loan_type_id: Uuid,
}

/// What happens while a load runs.
#[derive(Debug, Clone)]
pub enum LoadEvent {
    /// A batch has been stored; this is how far the load has come.
    Progress(LoadSummary),
    /// A record was left out.
    Problem(LoadProblem),
}

/// A record that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadProblem {
    /// Its number in the input, from 1.
    pub position: u64,
    /// Why.
    pub reason: String,
}

/// How far a load has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LoadSummary {
    /// The snapshot that the source records belong to.
    pub snapshot_id: Uuid,
    /// Records read, problems included.
    pub read: u64,
    /// Instances stored, each with a source record.
    pub instances: u64,
    /// Holdings stored.
    pub holdings: u64,
    /// Items stored.
    pub items: u64,
    /// Records left out.
    pub problems: u64,
}

/// Why a load ended early.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// An option names something that the tenant does not have.
    #[error("there is no {what} {id} in this tenant")]
    Unknown {
        /// What was named.
        what: &'static str,
        /// Its id.
        id: String,
    },
    /// The database failed.
    #[error("the records could not be stored")]
    Store(#[from] StoreError),
    /// A part of the load stopped: a fault of ours.
    #[error("a part of the load stopped: {0}")]
    Task(String),
}
