//! Settings stored by scope, key and owner.

use octavo_postgres::RawJson;
use octavo_records::expression::keys;
use octavo_records::{Collection, Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

/// Upserts settings by one of the collection's unique keys; returns how many were new. The settings must
/// be sorted by key, so that two concurrent uploads cannot deadlock.
///
/// # Errors
/// When a setting is too large for the index.
pub async fn upsert(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    key: &str,
    settings: &[(Uuid, Value)],
) -> Result<usize, StoreError> {
    if settings.is_empty() {
        return Ok(0);
    }
    let key = collection
        .indexes
        .iter()
        .find(|index| index.field == key)
        .expect("invariant: settings have unique keys of these names");
    let condition = key.condition.as_deref().unwrap_or("true");
    let sql = format!(
        "INSERT INTO {}.{} AS stored (id, jsonb) \
         SELECT id, jsonb FROM unnest($1::uuid[], $2::jsonb[]) AS _ (id, jsonb) \
         ON CONFLICT ({}) WHERE {condition} \
         DO UPDATE SET jsonb = stored.jsonb || (excluded.jsonb - 'id') \
         RETURNING id = ANY($1) AS is_new",
        tenant.schema(),
        collection.table,
        keys(key).join(", ")
    );
    let ids: Vec<Uuid> = settings.iter().map(|(id, _)| *id).collect();
    let bodies = settings
        .iter()
        .map(|(_, setting)| serde_json::to_vec(setting))
        .collect::<Result<Vec<_>, _>>()?;
    let bodies: Vec<RawJson<'_>> = bodies.iter().map(|body| RawJson(body)).collect();
    let rows = executor.rows(&sql, &[&ids, &bodies]).await?;
    Ok(rows
        .iter()
        .filter(|row| row.get::<_, bool>("is_new"))
        .count())
}
