//! What a library sets about authorities.

use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

/// A setting.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: Value,
    /// `BOOLEAN`, `INTEGER` or `STRING`.
    pub kind: String,
    /// What it is for.
    pub description: String,
}

/// All settings.
///
/// # Errors
/// When the database does not answer.
pub async fn all(executor: &impl Executor, tenant: &Tenant) -> Result<Vec<Setting>, StoreError> {
    let sql = format!(
        "SELECT key, value, type, description FROM {}.authority_setting ORDER BY key",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    let settings = rows.iter().map(|row| Setting {
        key: row.get(0),
        value: row.get(1),
        kind: row.get(2),
        description: row.get(3),
    });
    Ok(settings.collect())
}

/// Sets a value.
///
/// # Errors
/// When the database does not answer.
pub async fn set(
    executor: &impl Executor,
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
