//! Expired open requests and their queues.

use jiff::Timestamp;
use octavo_library::{HoldingsId, InstanceId, RequestId};
use octavo_records::{Executor, StoreError, instant};
use serde_json::{Map, Value};

use super::queue::within;
use super::{Tables, keys_of};
use crate::collections::{OPEN, WHEN_EXPIRED};
use crate::facts::LogItem;
use crate::queue_upkeep::QueueOf;

/// An open request, locked.
#[derive(Debug, Clone)]
pub struct OpenRequest {
    pub id: RequestId,
    /// The item or title of its queue.
    pub queue: String,
    pub document: Map<String, Value>,
    /// The requester's barcode.
    pub user_barcode: Option<String>,
    /// The item, for the log.
    pub item: LogItem,
}

/// The queues of some expired requests.
pub async fn queues_with_expired(
    executor: &dyn Executor,
    tables: Tables<'_>,
    of: QueueOf,
    now: Timestamp,
    most: i64,
) -> Result<Vec<String>, StoreError> {
    let key = keys_of(tables, "request", WHEN_EXPIRED).join(", ");
    let sql = format!(
        "SELECT DISTINCT queue FROM (SELECT jsonb->>'{}' AS queue FROM {}
           WHERE {OPEN} AND {key} < lower($1::text) COLLATE \"C\" ORDER BY {key} LIMIT $2) AS found
         WHERE queue IS NOT NULL",
        of.property(),
        tables.table("request"),
    );
    let now = instant::format(now);
    let rows = executor.rows(&sql, &[&now, &most]).await?;
    Ok(rows.iter().map(|row| row.get("queue")).collect())
}

/// The next non-empty queues, after one in text order.
pub async fn queues_after(
    executor: &dyn Executor,
    tables: Tables<'_>,
    of: QueueOf,
    after: &str,
    most: i64,
) -> Result<Vec<String>, StoreError> {
    let key = keys_of(tables, "request", of.property()).join(", ");
    let sql = format!(
        "SELECT DISTINCT {key} AS queue FROM {}
         WHERE {OPEN} AND {key} > $1::text COLLATE \"C\" ORDER BY queue LIMIT $2",
        tables.table("request"),
    );
    let rows = executor.rows(&sql, &[&after, &most]).await?;
    Ok(rows.iter().map(|row| row.get("queue")).collect())
}

/// Locks the titles and items of some queues' open requests, and then the requests.
pub async fn hold_queues(
    executor: &dyn Executor,
    tables: Tables<'_>,
    of: QueueOf,
    queues: &[String],
) -> Result<Vec<OpenRequest>, StoreError> {
    let (requests, items) = (tables.table("request"), tables.table("item"));
    let found = within(tables, of, "wanted.queue");
    // Lock order: titles, then items, then requests, each by id.
    let sql = format!(
        "SELECT id FROM {} WHERE id IN (SELECT (jsonb->>'instanceId')::uuid
           FROM unnest($1::text[]) AS wanted(queue) JOIN {requests} ON {found})
         ORDER BY id FOR NO KEY UPDATE",
        tables.table("instance"),
    );
    executor.rows(&sql, &[&queues]).await?;
    let sql = format!(
        "SELECT id FROM {items} WHERE id IN (SELECT (jsonb->>'itemId')::uuid
           FROM unnest($1::text[]) AS wanted(queue) JOIN {requests} ON {found})
         ORDER BY id FOR NO KEY UPDATE"
    );
    executor.rows(&sql, &[&queues]).await?;
    let sql = format!(
        "WITH held AS MATERIALIZED (SELECT id, jsonb FROM {requests}
           WHERE id IN (SELECT id FROM unnest($1::text[]) AS wanted(queue)
             JOIN {requests} ON {found})
           ORDER BY id FOR NO KEY UPDATE)
         SELECT held.id, held.jsonb, requester.jsonb->>'barcode' AS user_barcode,
           item.jsonb->>'barcode' AS item_barcode, item.id AS item_id,
           coalesce(item.jsonb->>'holdingsRecordId', held.jsonb->>'holdingsRecordId') AS holdings_id
         FROM held
         LEFT JOIN {} AS requester ON requester.id = (held.jsonb->>'requesterId')::uuid
         LEFT JOIN {items} AS item ON item.id = (held.jsonb->>'itemId')::uuid
         ORDER BY held.id",
        tables.table("users"),
    );
    let rows = executor.rows(&sql, &[&queues]).await?;
    let requests = rows.iter().filter_map(|row| {
        let Value::Object(document) = row.get("jsonb") else {
            return None;
        };
        let text = |name: &str| document.get(name).and_then(Value::as_str);
        let status = text("status")?;
        // Checked again after locking: it may have been closed meanwhile.
        let queue = text(of.property()).filter(|_| status.starts_with("Open - "))?;
        let holdings: Option<String> = row.get("holdings_id");
        Some(OpenRequest {
            id: row.get("id"),
            queue: queue.to_owned(),
            user_barcode: row.get("user_barcode"),
            item: LogItem {
                item_barcode: row.get("item_barcode"),
                item_id: row.get("item_id"),
                holding_id: holdings.and_then(|id| HoldingsId::parse(&id)),
                instance_id: text("instanceId").and_then(InstanceId::parse),
                loan_id: None,
            },
            document,
        })
    });
    Ok(requests.collect())
}

/// The next job of renumbering queues, locked, unless one is running. The caller then has the exclusive
/// right to start one until the transaction ends.
pub async fn next_job(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<Option<(RequestId, Map<String, Value>)>, StoreError> {
    let jobs = tables.table("tlr_feature_toggle_job");
    // Without this lock two processes could each find that no job is running.
    let lock = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
    executor.rows(lock, &[&jobs]).await?;
    let sql = format!(
        "SELECT id, jsonb FROM {jobs} WHERE jsonb->>'status' = 'open'
           AND NOT EXISTS (SELECT FROM {jobs} WHERE jsonb->>'status' = 'in-progress')
         ORDER BY jsonb->'metadata'->>'createdDate' DESC LIMIT 1 FOR NO KEY UPDATE"
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().and_then(|row| match row.get("jsonb") {
        Value::Object(document) => Some((row.get("id"), document)),
        _ => None,
    }))
}
