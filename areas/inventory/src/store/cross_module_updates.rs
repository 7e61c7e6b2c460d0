//! Records of areas to the right that inventory changes: the request that an item is to fill, and the
//! source record of an instance.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::{Map, Value};
use uuid::Uuid;

/// A stored record by its id.
pub type HeldRecord = (Uuid, Map<String, Value>);

/// The request that an item is assigned to, locked until the transaction ends. Lock the item first.
#[boxed]
pub async fn request_being_filled(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item: Uuid,
    statuses: &[&str],
) -> Result<Option<HeldRecord>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE {} AND jsonb->>'status' = ANY($2) \
         ORDER BY (jsonb->>'position')::bigint, id LIMIT 1 FOR NO KEY UPDATE",
        tables.table("request"),
        tables.equals("request", "itemId", "$1::text"),
    );
    one(executor, &sql, &item.to_string(), statuses).await
}

/// The newest generation of the source record of an instance, deleted or not, locked until the
/// transaction ends. Lock the instance first.
#[boxed]
pub async fn source_record(
    executor: &dyn Executor,
    tables: Tables<'_>,
    instance: Uuid,
) -> Result<Option<HeldRecord>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE {} AND jsonb->>'state' = ANY($2) \
         ORDER BY (jsonb->>'generation')::bigint DESC LIMIT 1 FOR NO KEY UPDATE",
        tables.table("source_record"),
        tables.equals("source_record", "externalIdsHolder.instanceId", "$1::text"),
    );
    let states = ["ACTUAL", "DELETED"];
    one(executor, &sql, &instance.to_string(), &states).await
}

async fn one(
    executor: &dyn Executor,
    sql: &str,
    of: &str,
    among: &[&str],
) -> Result<Option<HeldRecord>, StoreError> {
    let rows = executor.rows(sql, &[&of, &among]).await?;
    Ok(rows.first().and_then(|row| match row.get("jsonb") {
        Value::Object(document) => Some((row.get("id"), document)),
        _ => None,
    }))
}
