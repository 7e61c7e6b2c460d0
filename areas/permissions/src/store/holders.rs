//! Locks permission users and definitions for assignments.

use octavo_records::{Executor, StoreError, Tenant};
use serde_json::{Map, Value};

use super::{Holder, NAME};
use crate::rules::assigning::Defined;

/// Those of these permissions that are defined, locked against deletion until the transaction ends. Lock
/// them before the permission user, as a deletion does.
pub async fn hold_definitions(
    executor: &dyn Executor,
    tenant: &Tenant,
    names: &[String],
) -> Result<Vec<Defined>, StoreError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    // `FOR KEY SHARE` blocks a deletion only; the order by id prevents deadlocks between two changes.
    let sql = format!(
        "SELECT jsonb->>'permissionName' AS name, coalesce((jsonb->>'mutable')::boolean, \
         false) AS mutable, \
           coalesce((jsonb->>'dummy')::boolean, false) AS dummy \
         FROM {}.permissions WHERE {NAME} = ANY($1::text[]) ORDER BY id FOR KEY SHARE",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&names]).await?;
    Ok(rows
        .iter()
        .map(|row| Defined {
            name: row.get("name"),
            mutable: row.get("mutable"),
            dummy: row.get("dummy"),
        })
        .collect())
}

/// A permission user, locked against changes by others until the transaction ends.
pub async fn hold(
    executor: &dyn Executor,
    tenant: &Tenant,
    holder: &Holder,
) -> Result<Option<Map<String, Value>>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {}.permissions_users WHERE {} FOR NO KEY UPDATE",
        tenant.schema(),
        holder.condition()
    );
    let rows = executor.rows(&sql, &[&holder.value()]).await?;
    Ok(rows.first().and_then(|row| match row.get("jsonb") {
        Value::Object(document) => Some(document),
        _ => None,
    }))
}
