//! How far the places of items within their holdings have been given out.

use std::collections::HashMap;

use octavo_postgres::Transaction;
use octavo_records::{StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

/// Takes `without` places more for each of these holdings, and remembers the highest place that one
/// of their items brings; gives the last place that is taken now. Holdings that none was ever taken
/// of go on from the items they have. Rows are held in the order of the holdings' ids until the
/// transaction ends: two who add items to the same holdings come one after the other.
///
/// # Errors
/// When the database does not answer.
pub async fn take(
    transaction: &Transaction,
    tenant: &Tenant,
    wanted: &[(Uuid, i64, i64)],
) -> Result<HashMap<Uuid, i64>, StoreError> {
    let schema = tenant.schema();
    let mut wanted = wanted.to_vec();
    wanted.sort_unstable();
    let ids: Vec<Uuid> = wanted.iter().map(|(id, ..)| *id).collect();
    let without: Vec<i64> = wanted.iter().map(|(_, without, _)| *without).collect();
    let highest: Vec<i64> = wanted.iter().map(|(.., highest)| *highest).collect();
    let sql = format!(
        "WITH wanted AS MATERIALIZED (SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) \
         AS _ (id, without, highest)), {} SELECT holdings_id, last FROM taken",
        taken(schema)
    );
    let rows = transaction.query(&sql, &[&ids, &without, &highest]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// The same for one holdings record, which is held as by `fetch_shared` before a place is taken: the
/// holdings, and the last place that is taken now. Nothing, where there are no such holdings.
///
/// # Errors
/// When the database does not answer.
pub async fn hold_and_take(
    transaction: &Transaction,
    tenant: &Tenant,
    holdings: Uuid,
    (without, highest): (i64, i64),
) -> Result<Option<(Value, i64)>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH shelf AS MATERIALIZED (SELECT id, jsonb FROM {schema}.holdings_record WHERE id = $1 \
         FOR SHARE), wanted AS MATERIALIZED (SELECT id, $2::bigint AS without, \
         $3::bigint AS highest FROM shelf), {} \
         SELECT shelf.jsonb, taken.last FROM shelf JOIN taken ON taken.holdings_id = shelf.id",
        taken(schema)
    );
    let rows = transaction
        .query(&sql, &[&holdings, &without, &highest])
        .await?;
    Ok(rows.first().map(|row| (row.get(0), row.get(1))))
}

/// Takes what is `wanted`, as `taken`. The items are looked at only for holdings without a row. Who
/// makes the row at the same moment counted the same items, and the other goes on from there. What the
/// row says is never less than what a given place says, so the sum below is the last place in either
/// case.
fn taken(schema: &str) -> String {
    format!(
        "start AS MATERIALIZED (SELECT wanted.id, without, highest, \
         CASE WHEN known.holdings_id IS NOT NULL THEN 0 ELSE (SELECT \
         least(coalesce(max((jsonb->>'order')::numeric), 0), 2147483647)::bigint \
         FROM {schema}.item WHERE holdingsrecordid = wanted.id) END AS used \
         FROM wanted LEFT JOIN {schema}.item_order AS known ON known.holdings_id = wanted.id), \
         taken AS (INSERT INTO {schema}.item_order AS kept (holdings_id, last) \
         SELECT id, greatest(used, highest) + without FROM start ORDER BY id \
         ON CONFLICT (holdings_id) DO UPDATE SET last = greatest(kept.last, \
         (SELECT highest FROM wanted WHERE id = kept.holdings_id)) \
         + (SELECT without FROM wanted WHERE id = kept.holdings_id) \
         RETURNING holdings_id, last)"
    )
}
