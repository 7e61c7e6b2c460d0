//! Actual cost records.

use octavo_library::{LoanId, UserId};
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Tables;

pub async fn loan_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<LoanId>, StoreError> {
    let sql = format!(
        "SELECT (jsonb->'loan'->>'id')::uuid AS loan_id FROM {} WHERE id = $1",
        tables.table("actual_cost_record")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().and_then(|row| row.get("loan_id")))
}

/// A record, locked. Lock its loan's item first.
pub async fn held(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<Map<String, Value>>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id = $1 FOR NO KEY UPDATE",
        tables.table("actual_cost_record")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().and_then(|row| match row.get("jsonb") {
        Value::Object(document) => Some(document),
        _ => None,
    }))
}

/// The name of a user as stored in actions: `Last, First`, else the user name.
pub async fn name_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user_id: Option<UserId>,
) -> Result<Option<String>, StoreError> {
    let sql = format!(
        "SELECT coalesce(nullif(trim(jsonb->'personal'->>'lastName'), '')
             || ', ' || nullif(trim(jsonb->'personal'->>'firstName'), ''),
             jsonb->>'username') AS name
         FROM {} WHERE id = $1",
        tables.table("users")
    );
    let rows = executor.rows(&sql, &[&user_id]).await?;
    Ok(rows.first().and_then(|row| row.get("name")))
}
