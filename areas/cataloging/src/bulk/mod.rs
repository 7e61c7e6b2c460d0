//! Many bibliographic records at once, within the caller's transaction: instances with their source
//! records, and holdings and items where those are wanted. A record that is refused is set aside and
//! costs no other.
//!
//! `draft` and `complete` make the documents and know no database; `write` stores them.

mod draft;
mod settings;
mod source;
mod write;

use std::sync::Arc;

use octavo_boxed::boxed;
use octavo_inventory::rules::defaults;
use octavo_mapping::{References, Rules};
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::Context;
use octavo_records::StoreError;
use uuid::Uuid;

pub use draft::{Draft, draft};
pub use settings::{HoldingsOptions, HoldingsSettings, ItemOptions, Unknown};
pub use source::raw;
pub use write::{is_refusal, reserve_hrids, write};

/// What is the same for all records that are made together.
#[derive(Debug, Clone)]
pub struct Creating {
    /// What maps them.
    pub rules: Arc<Rules>,
    /// The lists that the rules look things up in.
    pub references: Arc<References>,
    /// The snapshot that the source records belong to.
    pub snapshot_id: Uuid,
    /// Holdings, and items, if wanted.
    pub holdings: Option<Arc<HoldingsSettings>>,
}

/// A record that comes in.
#[derive(Debug, Clone)]
pub struct Incoming {
    /// Its number in the input, from 1.
    pub position: u64,
    /// The record exactly as it is in the input.
    pub bytes: Vec<u8>,
    /// The record as it was read.
    pub record: Record,
}

/// What was made of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created {
    /// Its number in the input, from 1.
    pub position: u64,
    pub instance_id: Uuid,
    /// The instance's human-readable id.
    pub instance_hrid: String,
    /// The instance's title.
    pub title: String,
    /// The source record.
    pub source_id: Uuid,
}

/// A record that was set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its number in the input, from 1.
    pub position: u64,
    /// Why.
    pub reason: String,
}

/// What became of records that were to be made together.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// Those that were stored, in their order.
    pub created: Vec<Created>,
    /// Holdings that were stored with them.
    pub holdings: u64,
    /// Items that were stored with them.
    pub items: u64,
    /// Those that were not, in their order.
    pub problems: Vec<Problem>,
}

/// Maps and stores records within a transaction, which the caller commits. What is refused is set
/// aside with its reason, and nothing of it is left in the transaction.
///
/// # Errors
/// When the database fails; the transaction must then be given up.
#[boxed]
pub async fn create_bibs(
    context: &Context<'_>,
    transaction: &Transaction,
    creating: &Creating,
    incoming: Vec<Incoming>,
) -> Result<Written, StoreError> {
    let mut problems = Vec::new();
    let mut drafts = Vec::with_capacity(incoming.len());
    for one in incoming {
        match draft(creating, one) {
            Ok(draft) => drafts.push(draft),
            Err(problem) => problems.push(problem),
        }
    }
    let hrids = reserve_hrids(context, transaction, drafts.len()).await?;
    let mut written = write(context, transaction, creating, drafts, &hrids).await?;
    written.problems.extend(problems);
    written.problems.sort_by_key(|problem| problem.position);
    Ok(written)
}

/// The defaults and derived properties of a new instance.
fn complete_instance(instance: &mut serde_json::Value, now: &str) {
    if let serde_json::Value::Object(instance) = instance {
        defaults::of_instance(instance);
    }
    octavo_inventory::rules::derive_instance(instance, None, now);
}
