//! Event types.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::Value;

fn table(tables: Tables<'_>) -> String {
    tables.table("pubsub_event_type")
}

/// All descriptors, by name.
#[boxed]
pub async fn all(executor: &dyn Executor, tables: Tables<'_>) -> Result<Vec<Value>, StoreError> {
    let sql = format!("SELECT descriptor FROM {} ORDER BY name", table(tables));
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.iter().map(|row| row.get("descriptor")).collect())
}

/// The descriptor of a type.
#[boxed]
pub async fn one(
    executor: &dyn Executor,
    tables: Tables<'_>,
    name: &str,
) -> Result<Option<Value>, StoreError> {
    let sql = format!("SELECT descriptor FROM {} WHERE name = $1", table(tables));
    let rows = executor.rows(&sql, &[&name]).await?;
    Ok(rows.first().map(|row| row.get("descriptor")))
}

/// The descriptors of some types, held until the transaction ends.
#[boxed]
pub async fn held(
    executor: &dyn Executor,
    tables: Tables<'_>,
    names: &[&str],
) -> Result<Vec<Value>, StoreError> {
    let sql = format!(
        "SELECT descriptor FROM {} WHERE name = ANY($1) ORDER BY name FOR SHARE",
        table(tables)
    );
    let rows = executor.rows(&sql, &[&names]).await?;
    Ok(rows.iter().map(|row| row.get("descriptor")).collect())
}

/// Stores a new type, or waits for who does so; false where there is one.
#[boxed]
pub async fn add(
    executor: &dyn Executor,
    tables: Tables<'_>,
    name: &str,
    descriptor: &Value,
) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO {} VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING name",
        table(tables)
    );
    let rows = executor.rows(&sql, &[&name, descriptor]).await?;
    Ok(!rows.is_empty())
}

/// Replaces a descriptor; false where there is none.
#[boxed]
pub async fn replace(
    executor: &dyn Executor,
    tables: Tables<'_>,
    name: &str,
    descriptor: &Value,
) -> Result<bool, StoreError> {
    let sql = format!(
        "UPDATE {} SET descriptor = $2 WHERE name = $1 RETURNING name",
        table(tables)
    );
    let rows = executor.rows(&sql, &[&name, descriptor]).await?;
    Ok(!rows.is_empty())
}

/// Deletes a type; false where there is none.
#[boxed]
pub async fn delete(
    executor: &dyn Executor,
    tables: Tables<'_>,
    name: &str,
) -> Result<bool, StoreError> {
    let sql = format!(
        "DELETE FROM {} WHERE name = $1 RETURNING name",
        table(tables)
    );
    Ok(!executor.rows(&sql, &[&name]).await?.is_empty())
}
