//! Form configurations by form name.

use octavo_records::{Executor, StoreError, Tables, Tenant};
use serde_json::Value;
use uuid::Uuid;

/// Maximal number of listed forms.
const LISTED_MAX: i64 = 1_000;

/// All of them, by name.
pub async fn all(executor: &dyn Executor, tenant: &Tenant) -> Result<Vec<Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {}.forms_configs ORDER BY jsonb->>'formName' LIMIT {LISTED_MAX}",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.iter().map(|row| row.get("jsonb")).collect())
}

/// The one of this name, with its id.
pub async fn of_name(
    executor: &dyn Executor,
    tables: Tables<'_>,
    name: &str,
) -> Result<Option<(Uuid, Value)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE {}",
        tables.table("forms_configs"),
        tables.equals("forms_configs", "formName", "$1")
    );
    let rows = executor.rows(&sql, &[&name]).await?;
    Ok(rows.first().map(|row| (row.get("id"), row.get("jsonb"))))
}
