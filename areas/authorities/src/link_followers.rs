//! The hook that writes a record whose linked fields were updated. An area to the right also derives the
//! instance from the record; by default only the record changes.

use std::fmt::Debug;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use octavo_library::{InstanceId, SourceRecordId};
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};

use crate::app::sources;

/// A bibliographic record whose linked fields have changed.
#[derive(Debug)]
pub struct Changed {
    /// The instance, locked.
    pub instance_id: InstanceId,
    /// The stored source record, locked too.
    pub record_id: SourceRecordId,
    /// Its new MARC.
    pub record: Record,
}

/// Writes updated records, in the worker's transaction.
pub trait Follower: Debug + Send + Sync {
    /// Stores the record, and what is derived from it. Instance and source record are locked, in this
    /// order.
    ///
    /// # Errors
    /// When it cannot be stored: the link is marked with the reason, and others continue.
    fn write<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        changed: Changed,
    ) -> BoxFuture<'a, Result<(), StoreError>>;
}

/// The default: changes only the source record.
#[derive(Debug, Clone, Copy, Default)]
pub struct RecordOnly;

impl RecordOnly {
    /// The same, shared.
    #[must_use]
    pub fn shared() -> Arc<dyn Follower> {
        Arc::new(RecordOnly)
    }
}

impl Follower for RecordOnly {
    fn write<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        changed: Changed,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            sources::replace_marc(&context, transaction, changed.record_id, &changed.record).await
        })
    }
}
