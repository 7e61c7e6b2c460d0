//! Hold shelf clearance.

use octavo_library::ServicePointId;
use octavo_records::{Executor, StoreError};
use serde_json::Value;

use super::{Tables, keys_of, view};

/// Maximal number of requests.
const REQUESTS_MAX: i64 = 10_000;

/// Cancelled or expired requests whose items are still on the hold shelf of a service point, unassigned:
/// the last one for each item, latest closed first.
///
/// Starts from the items awaiting pickup, by the index on their status, and then their requests, by
/// index: closed requests of earlier years cost nothing.
pub async fn to_be_cleared(
    executor: &dyn Executor,
    tables: Tables<'_>,
    point: ServicePointId,
) -> Result<Vec<Value>, StoreError> {
    let of_item = keys_of(tables, "request", "itemId").join(", ");
    let page = format!(
        "SELECT last.id, last.jsonb, row_number() OVER (
             ORDER BY last.jsonb->>'awaitingPickupRequestClosedDate' DESC, last.id) AS place
         FROM (SELECT id FROM {items} WHERE {waits}) AS shelved
         JOIN LATERAL (SELECT id, jsonb FROM {requests}
           WHERE {of_item} = lower(shelved.id::text)
             AND (jsonb->>'status' = 'Open - Awaiting pickup'
               OR jsonb->>'status' IN ('Closed - Pickup expired', 'Closed - Cancelled')
                 AND jsonb->>'awaitingPickupRequestClosedDate' <> '')
           ORDER BY jsonb->>'status' = 'Open - Awaiting pickup' DESC,
             jsonb->>'awaitingPickupRequestClosedDate' DESC LIMIT 1) AS last ON true
         WHERE last.jsonb->>'status' <> 'Open - Awaiting pickup'
           AND lower(last.jsonb->>'pickupServicePointId') = $1
         ORDER BY place LIMIT {REQUESTS_MAX}",
        items = tables.table("item"),
        requests = tables.table("request"),
        waits = tables.is("item", "status.name", "Awaiting pickup"),
    );
    let sql = view::requests_of(tables, &page);
    let rows = executor.rows(&sql, &[&point.to_string()]).await?;
    Ok(rows.iter().map(|row| row.get("jsonb")).collect())
}
