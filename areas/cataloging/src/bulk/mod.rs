//! Creates many bibliographic records inside the caller's transaction: instances with source records,
//! and optionally holdings and items. A refused record is set aside and does not affect others.
//!
//! `draft` and `complete` make the documents and know no database; `write` stores them.

mod draft;
mod settings;
mod source;
mod write;

use std::sync::Arc;

use octavo_boxed::boxed;
use octavo_inventory::rules::defaults;
use octavo_library::{SnapshotId, SourceRecordId};
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

/// The common settings of a batch.
#[derive(Debug, Clone)]
pub struct Creating {
    /// The mapping rules.
    pub rules: Arc<Rules>,
    /// The reference lists.
    pub references: Arc<References>,
    /// The snapshot that the source records belong to.
    pub snapshot_id: SnapshotId,
    /// Settings of holdings and items, if they are to be created.
    pub holdings: Option<Arc<HoldingsSettings>>,
}

/// A record of the input.
#[derive(Debug, Clone)]
pub struct Incoming {
    /// Its number in the input, from 1.
    pub position: u64,
    /// The record's bytes in the input.
    pub bytes: Vec<u8>,
    /// The parsed record.
    pub record: Record,
}

/// The result for a created record.
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
    pub source_id: SourceRecordId,
}

/// A record that was set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its number in the input, from 1.
    pub position: u64,
    /// The reason.
    pub reason: String,
}

/// The result of a batch.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// The stored records, in order.
    pub created: Vec<Created>,
    /// The number of stored holdings.
    pub holdings: u64,
    /// The number of stored items.
    pub items: u64,
    /// The refused records, in order.
    pub problems: Vec<Problem>,
}

/// Maps and stores records inside the caller's transaction. Refused records are set aside with their
/// reason and leave nothing in the transaction.
///
/// # Errors
/// On a database error; the caller must then roll back.
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
