//! Locks a stored request with the facts for changing it, or a whole queue.

use octavo_library::{CancellationReasonId, RequestId, UserId};
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};

use super::Tables;
use super::queue::within;
use crate::queue_upkeep::{Queue, QueueOf};

/// A request, locked until the transaction ends.
#[derive(Debug, Clone)]
pub struct HeldRequest {
    pub document: Map<String, Value>,
    /// Its title.
    pub instance: Option<Value>,
    /// Whether another open request is for its item.
    pub others_want_item: bool,
    /// The name of the cancellation reason, if it exists.
    pub reason: Option<String>,
}

/// Locks the title of a request. Call it before any other lock.
pub async fn hold_title(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: RequestId,
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE id = (SELECT (jsonb->>'instanceId')::uuid FROM {} WHERE id = $1)
         FOR NO KEY UPDATE",
        tables.table("instance"),
        tables.table("request"),
    );
    executor.rows(&sql, &[&id]).await?;
    Ok(())
}

/// The request of an id, locked, with its title and the reason of this id. Lock title and item first.
pub async fn by_id(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: RequestId,
    reason: Option<CancellationReasonId>,
) -> Result<Option<HeldRequest>, StoreError> {
    let request = tables.table("request");
    let sql = format!(
        "WITH held AS MATERIALIZED (SELECT id, jsonb FROM {request} WHERE id = $1
           FOR NO KEY UPDATE)
         SELECT held.jsonb AS request, instance.jsonb AS instance,
           EXISTS (SELECT FROM {request} WHERE {} AND id <> $1) AS others_want_item,
           (SELECT jsonb->>'name' FROM {} WHERE id = $2) AS reason
         FROM held LEFT JOIN {} AS instance ON instance.id = (held.jsonb->>'instanceId')::uuid",
        within(
            tables,
            QueueOf::Item,
            "(SELECT held.jsonb->>'itemId' FROM held)"
        ),
        tables.table("cancellation_reason"),
        tables.table("instance"),
    );
    let rows = executor.rows(&sql, &[&id, &reason]).await?;
    Ok(rows.first().and_then(|row| match row.get("request") {
        Value::Object(document) => Some(HeldRequest {
            document,
            instance: row.get("instance"),
            others_want_item: row.get("others_want_item"),
            reason: row.get("reason"),
        }),
        _ => None,
    }))
}

/// The open requests of a queue, locked, in the order of their ids; of an item's queue those for the
/// item alone, as it is shown.
pub async fn of_queue(
    executor: &dyn Executor,
    tables: Tables<'_>,
    queue: Queue,
) -> Result<Vec<(RequestId, Map<String, Value>)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE {} ORDER BY id FOR NO KEY UPDATE",
        tables.table("request"),
        shown(tables, queue.of),
    );
    let rows = executor.rows(&sql, &[&queue.id.to_string()]).await?;
    let requests = rows.iter().filter_map(|row| match row.get("jsonb") {
        Value::Object(document) => Some((row.get("id"), document)),
        _ => None,
    });
    Ok(requests.collect())
}

/// The requests of a queue that are shown in it, `$1` being the id as text.
pub(super) fn shown(tables: Tables<'_>, of: QueueOf) -> String {
    let within = within(tables, of, "$1::text");
    match of {
        QueueOf::Item => format!("{within} AND jsonb->>'requestLevel' = 'Item'"),
        QueueOf::Title => within,
    }
}

/// A user's document.
pub async fn user(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Option<UserId>,
) -> Result<Option<Value>, StoreError> {
    let Some(id) = id else { return Ok(None) };
    let sql = format!("SELECT jsonb FROM {} WHERE id = $1", tables.table("users"));
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}
