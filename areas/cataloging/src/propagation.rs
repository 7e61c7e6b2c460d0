//! Propagates changes of authorities to instances: a changed linked record is mapped again, so that
//! instance and record agree.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use octavo_authorities::link_followers::{Changed, Follower};
use octavo_library::SnapshotId;
use octavo_mapping::RecordKind;
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};
use octavo_source_records::app::{IdType, hold_record};
use serde_json::Value;

use crate::app::mapping_of;
use crate::derive::{Change, ForeignNumber, Refusal, update_bib};

/// Writes linked records with the instances that are derived from them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Deriving;

impl Deriving {
    /// The same, shared.
    #[must_use]
    pub fn shared() -> Arc<dyn Follower> {
        Arc::new(Deriving)
    }
}

impl Follower for Deriving {
    fn write<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        changed: Changed,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let written = write(&context, transaction, changed).await;
            written.map_err(|refusal| match refusal {
                Refusal::Store(error) => error,
                other => StoreError::fault(other),
            })
        })
    }
}

async fn write(
    context: &Context<'_>,
    transaction: &Transaction,
    changed: Changed,
) -> Result<(), Refusal> {
    let id = changed.instance_id.uuid();
    let held = hold_record(context, transaction, IdType::Instance, id).await?;
    let snapshot = held
        .as_ref()
        .and_then(|held| held.document.get("snapshotId").and_then(Value::as_str))
        .and_then(SnapshotId::parse);
    let snapshot = snapshot.ok_or(Refusal::NotFound { what: "Source", id })?;
    let mapping = mapping_of(context, RecordKind::Bib).await?;
    let change = Change {
        entity_id: Some(id),
        foreign_number: ForeignNumber::Drop,
        ..Change::new(changed.record, snapshot, &mapping)
    };
    update_bib(context, transaction, change).await?;
    Ok(())
}
