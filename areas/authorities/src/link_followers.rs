//! Who writes the record of an instance whose linked fields follow an authority. What lies to the right
//! derives the instance from the record; without it the record alone changes.

use std::fmt::Debug;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};
use uuid::Uuid;

use crate::app::sources;

/// A bibliographic record whose linked fields have changed.
#[derive(Debug)]
pub struct Changed {
    /// The instance, which is held.
    pub instance_id: Uuid,
    /// The stored source record, which is held too.
    pub record_id: Uuid,
    /// Its MARC as it is to be.
    pub record: Record,
}

/// Writes what has changed, in the transaction of the worker.
pub trait Follower: Debug + Send + Sync {
    /// Stores the record, and what is derived from it. Instance and source record are held, in this
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

/// Changes the source record only.
#[derive(Debug, Clone, Copy, Default)]
pub struct RecordOnly;

impl RecordOnly {
    /// The same, to hand in.
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
