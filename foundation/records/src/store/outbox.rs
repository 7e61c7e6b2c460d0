//! The outbox: events that do not come from the change of a single record, and all events in the
//! form in which FOLIO's modules publish them.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::RawJson;
use serde_json::Value;
use uuid::Uuid;

use crate::error::StoreError;
use crate::executor::Executor;
use crate::tenant::Tenant;

/// A published event.
#[derive(Debug, Clone)]
pub struct Event {
    /// Its position in the tenant's sequence of events; later events of a record have higher ones.
    pub position: i64,
    /// The topic without environment and tenant, which FOLIO's full name begins with:
    /// `inventory.item`.
    pub topic: String,
    /// The record's id; the null UUID where the event concerns all records.
    pub key: Uuid,
    /// `{eventId, eventTs, type, old, new, tenant}`, with `eventTs` in milliseconds since 1970 and
    /// without absent properties.
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

/// Writes such events of one topic and kind in one statement, in the order given: the key and the payload of
/// each.
#[boxed]
pub async fn emit_many(
    executor: &dyn Executor,
    tenant: &Tenant,
    topic: &str,
    kind: &str,
    events: &[(Uuid, Value)],
) -> Result<(), StoreError> {
    if events.is_empty() {
        return Ok(());
    }
    let keys: Vec<Uuid> = events.iter().map(|(key, _)| *key).collect();
    let payloads: Vec<&Value> = events.iter().map(|(_, payload)| payload).collect();
    let sql = format!(
        "INSERT INTO {}.outbox (topic, key, type, new) SELECT $1::text, key, $2::text, payload \
         FROM unnest($3::uuid[], $4::jsonb[]) WITH ORDINALITY AS _(key, payload, at) ORDER BY at",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&topic, &kind, &keys, &payloads])
        .await?;
    Ok(())
}

/// The events after a position, in order, at most `most`.
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
