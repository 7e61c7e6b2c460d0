//! Settings of authorities.

use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

#[derive(Debug, Clone)]
pub struct Setting {
    pub key: String,
    pub value: Value,
    /// `BOOLEAN`, `INTEGER` or `STRING`.
    pub kind: String,
    /// Its description.
    pub description: String,
}

pub async fn all(executor: &dyn Executor, tenant: &Tenant) -> Result<Vec<Setting>, StoreError> {
    let sql = format!(
        "SELECT key, value, type, description FROM {}.authority_setting ORDER BY key",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    let settings = rows.iter().map(|row| Setting {
        key: row.get("key"),
        value: row.get("value"),
        kind: row.get("type"),
        description: row.get("description"),
    });
    Ok(settings.collect())
}

/// The retention period of deleted authorities in the announced release: an entry of mod-settings.
pub async fn expiration_entry(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<Option<Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb->'value' AS value FROM {}.setting_entry WHERE jsonb->>'scope' =
         'authority-storage'
           AND jsonb->>'key' = 'authority-archives-expiration' AND jsonb->>'userId' IS NULL LIMIT 1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().and_then(|row| row.get("value")))
}

pub async fn set(
    executor: &dyn Executor,
    tenant: &Tenant,
    key: &str,
    value: &Value,
    user_id: Option<Uuid>,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.authority_setting SET value = $2, updated = now(), updated_by = $3 WHERE key = $1",
        tenant.schema()
    );
    executor.rows(&sql, &[&key, value, &user_id]).await?;
    Ok(())
}
