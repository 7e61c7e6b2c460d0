//! Exports of vouchers.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Tables;

/// The credentials of a configuration, locked.
#[boxed]
pub async fn credentials_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    configuration: Uuid,
) -> Result<Option<(Uuid, Map<String, Value>)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE exportconfigid = $1 ORDER BY id LIMIT 1 FOR NO KEY UPDATE",
        tables.table("export_config_credentials")
    );
    let rows = executor.rows(&sql, &[&configuration]).await?;
    Ok(rows.first().and_then(|row| match row.get("jsonb") {
        Value::Object(document) => Some((row.get("id"), document)),
        _ => None,
    }))
}
