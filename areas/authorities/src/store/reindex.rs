//! Events of unchanged authorities, for reindex jobs.

use octavo_postgres::Transaction;
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

use crate::collections::TOPIC;

/// Writes events for the authorities after an id; returns how many, and the last id.
pub async fn emit_authorities(
    transaction: &Transaction,
    tenant: &Tenant,
    behind: Uuid,
    most: i64,
) -> Result<(i64, Option<Uuid>), StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH portion AS MATERIALIZED (SELECT id, jsonb FROM {schema}.authority WHERE id > $1 \
         ORDER BY id LIMIT $2), emitted AS (INSERT INTO {schema}.outbox (topic, key, type, new) \
         SELECT '{TOPIC}', id, 'REINDEX', jsonb FROM portion ORDER BY id) \
         SELECT count(*), (array_agg(id ORDER BY id DESC))[1] AS last FROM portion"
    );
    let row = transaction.query_opt(&sql, &[&behind, &most]).await?;
    Ok(row.map_or((0, None), |row| (row.get("count"), row.get("last"))))
}
