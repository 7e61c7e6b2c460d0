//! The outbox: events that no single record's change leaves, and all of them in the form in which
//! FOLIO's modules publish them.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::RawJson;
use serde_json::Value;
use uuid::Uuid;

use crate::error::StoreError;
use crate::executor::Executor;
use crate::tenant::Tenant;

/// An event on its way to those who follow a topic.
#[derive(Debug, Clone)]
pub struct Event {
    /// Its place in the tenant's order of events; later events of a record have higher ones.
    pub position: i64,
    /// The module's part of the topic: `inventory.item`. FOLIO's full name has environment and
    /// tenant before it.
    pub topic: String,
    /// The record's id; the null UUID where the event is about all of them.
    pub key: Uuid,
    /// `{eventId, eventTs, type, old, new, tenant}`, with `eventTs` in milliseconds since 1970 and
    /// without what there is not.
    pub value: Bytes,
}

/// Writes an event that is not the change of one record, inside the caller's transaction.
#[boxed]
pub async fn emit(
    executor: &dyn Executor,
    tenant: &Tenant,
    topic: &str,
    key: Uuid,
    kind: &str,
    payload: &Value,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.outbox (topic, key, type, new) VALUES ($1, $2, $3, $4)",
        tenant.schema()
    );
    executor.rows(&sql, &[&topic, &key, &kind, payload]).await?;
    Ok(())
}

/// The events behind a position, in their order, `most` of them at most.
#[boxed]
pub async fn events_after(
    executor: &dyn Executor,
    tenant: &Tenant,
    position: i64,
    most: i64,
) -> Result<Vec<Event>, StoreError> {
    let sql = format!(
        "SELECT position, topic, key, value FROM {}.outbox_event \
         WHERE position > $1 ORDER BY position LIMIT $2",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&position, &most]).await?;
    Ok(rows
        .iter()
        .map(|row| Event {
            position: row.get("position"),
            topic: row.get("topic"),
            key: row.get("key"),
            value: Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("value").0),
        })
        .collect())
}
