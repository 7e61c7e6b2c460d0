//! Active users whose membership has ended.

use octavo_postgres::Transaction;
use octavo_records::expression::key;
use octavo_records::{StoreError, Tenant, instant};
use serde_json::Value;
use uuid::Uuid;

use crate::collections;

/// Some of them, the longest ended first, locked until the transaction ends. Locked rows are skipped:
/// another process or request is changing them.
pub async fn hold_some(
    transaction: &Transaction,
    tenant: &Tenant,
    now: jiff::Timestamp,
    most: i64,
) -> Result<Vec<(Uuid, Value)>, StoreError> {
    let index = collections::expiring();
    let ended = key(&index);
    let condition = index.condition.unwrap_or_default();
    let sql = format!(
        "SELECT id, jsonb FROM {}.users WHERE {condition} AND {ended} < $1 ORDER BY {ended} \
         LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED",
        tenant.schema()
    );
    let rows = transaction
        .query(&sql, &[&instant::format(now), &most])
        .await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("jsonb")))
        .collect())
}
