//! Locks queues of open requests and changes positions.
//!
//! Lock order of every change of a queue: the title first, then the item. So changes of one queue are
//! serialised, whichever of the title's items they start from.

use std::collections::HashMap;

use octavo_library::{InstanceId, ItemId, ItemJoins, RequestId};
use octavo_postgres::ToSql;
use octavo_records::expression::AMONG_IDS;
use octavo_records::store::{Difference, Successor};
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};

use super::{Tables, keys_of};
use crate::collections::{OPEN, QUEUE_OF_ITEM, QUEUE_OF_TITLE};
use crate::facts::RequestQueue;
use crate::queue_upkeep::{Queue, QueueOf};

/// A locked queue with the stored documents of its requests.
#[derive(Debug, Clone, Default)]
pub struct HeldQueue {
    pub queue: RequestQueue,
    pub documents: HashMap<RequestId, Map<String, Value>>,
}

/// The open requests of the queue of an item or a title, as a condition on `request`; `value` is SQL
/// for its id as text.
pub(super) fn within(tables: Tables<'_>, of: QueueOf, value: &str) -> String {
    let index = match of {
        QueueOf::Item => QUEUE_OF_ITEM,
        QueueOf::Title => QUEUE_OF_TITLE,
    };
    let key = keys_of(tables, "request", index).join(", ");
    format!(
        "{key} >= ({value} || ' ') COLLATE \"C\" AND {key} < ({value} || '!') COLLATE \"C\" AND {OPEN}"
    )
}

/// Locks the titles with these ids, in the order of their ids.
pub async fn hold_titles(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[InstanceId],
) -> Result<(), StoreError> {
    hold(executor, &tables.table("instance"), &ids).await
}

/// Locks the items with these ids, in the order of their ids. Lock their titles first.
pub async fn hold_items(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[ItemId],
) -> Result<(), StoreError> {
    hold(executor, &tables.table("item"), &ids).await
}

async fn hold(
    executor: &dyn Executor,
    table: &str,
    ids: &(dyn ToSql + Sync),
) -> Result<(), StoreError> {
    // The order by id prevents deadlocks.
    let sql = format!("SELECT id FROM {table} WHERE id {AMONG_IDS} ORDER BY id FOR NO KEY UPDATE");
    executor.rows(&sql, &[ids]).await?;
    Ok(())
}

/// Locks the title of an item. Call it before locking the item.
pub async fn hold_title_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item: ItemId,
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE id = (SELECT holdings.instanceid FROM {} AS item {}
           WHERE item.id = $1) FOR NO KEY UPDATE",
        tables.table("instance"),
        tables.table("item"),
        ItemJoins::inner(tables, "item").holdings(),
    );
    executor.rows(&sql, &[&item]).await?;
    Ok(())
}

/// Moves up the requests after a free position by one, in one statement; returns them.
pub async fn close_up(
    executor: &dyn Executor,
    tables: Tables<'_>,
    queue: Queue,
    free: i64,
    changed: &Value,
) -> Result<Vec<RequestId>, StoreError> {
    let sql = format!(
        "SELECT ids, {}.request_places(ids, places, $3, false) FROM (
           SELECT array_agg(id ORDER BY place) AS ids,
             array_agg(place - 1 ORDER BY place) AS places
           FROM (SELECT id, (jsonb->>'position')::bigint AS place FROM {} WHERE {}) AS queued
           WHERE place > $2) AS behind",
        tables.tenant.schema(),
        tables.table("request"),
        within(tables, queue.of, "$1::text"),
    );
    let values = (queue.id.to_string(), free);
    let rows = executor
        .rows(&sql, &[&values.0, &values.1, changed])
        .await?;
    let ids: Option<Vec<RequestId>> = rows.first().and_then(|row| row.get("ids"));
    Ok(ids.unwrap_or_default())
}

/// Moves a request that gets its item before those still waiting, in one statement; returns its position
/// and the moved requests. Its own position is cleared, to be stored with it later.
pub async fn overtake(
    executor: &dyn Executor,
    tables: Tables<'_>,
    queue: Queue,
    (request, place): (RequestId, i64),
    changed: &Value,
) -> Result<(i64, Vec<RequestId>), StoreError> {
    let sql = format!(
        "WITH queued AS MATERIALIZED (
           SELECT id, (jsonb->>'position')::bigint AS place, jsonb->>'status' AS status
           FROM {} WHERE {}),
         aim AS (SELECT min(place) AS place FROM queued
           WHERE status = 'Open - Not yet filled' AND id <> $2)
         SELECT aim.place, ids, {}.request_places(array_prepend($2, ids),
           array_prepend(NULL::bigint, places), $4, false)
         FROM aim, (SELECT array_agg(id ORDER BY place DESC) AS ids,
             array_agg(place + 1 ORDER BY place DESC) AS places
           FROM queued WHERE place < $3 AND place >= (SELECT place FROM aim)) AS ahead
         WHERE aim.place < $3",
        tables.table("request"),
        within(tables, queue.of, "$1::text"),
        tables.tenant.schema(),
    );
    let key = queue.id.to_string();
    let rows = executor
        .rows(&sql, &[&key, &request, &place, changed])
        .await?;
    Ok(match rows.first() {
        Some(row) => (row.get("place"), row.get("ids")),
        None => (place, Vec::new()),
    })
}

/// Stores a request that gets an item, with its event. Its row is held.
pub async fn serve(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: RequestId,
    next: &Successor,
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT {}.request_served($1, $2, $3, $4)",
        tables.tenant.schema()
    );
    let document = Value::Object(next.document.clone());
    let Difference { was, came } = &next.difference;
    executor.rows(&sql, &[&id, &document, was, came]).await?;
    Ok(())
}

/// Assigns positions to requests in one statement, in any permutation.
///
/// # Errors
/// When another request has one of the positions.
pub async fn put_in_places(
    executor: &dyn Executor,
    tables: Tables<'_>,
    places: &[(RequestId, i64)],
    changed: &Value,
) -> Result<(), StoreError> {
    if places.is_empty() {
        return Ok(());
    }
    let (ids, places): (Vec<RequestId>, Vec<i64>) = places.iter().copied().unzip();
    let sql = format!(
        "SELECT {}.request_places($1, $2, $3, true)",
        tables.tenant.schema()
    );
    executor.rows(&sql, &[&ids, &places, changed]).await?;
    Ok(())
}

/// Clears the positions of requests: positions are unique in a queue, so changed ones are cleared before
/// new ones are assigned.
pub async fn give_up_positions(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[RequestId],
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {} SET jsonb = jsonb - 'position' WHERE id = ANY($1)",
        tables.table("request")
    );
    executor.rows(&sql, &[&ids]).await?;
    Ok(())
}
