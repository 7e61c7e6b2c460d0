//! Look-ups of instances, holdings and users.

use octavo_records::{Executor, StoreError, Tables};
use serde_json::Value;
use uuid::Uuid;

/// The ids of the instances of a human-readable id: at most two, which suffice to know that it is
/// ambiguous.
pub async fn instances_of_hrid(
    executor: &dyn Executor,
    tables: Tables<'_>,
    hrid: &str,
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE {} LIMIT 2",
        tables.table("instance"),
        tables.equals("instance", "hrid", "$1::text")
    );
    let rows = executor.rows(&sql, &[&hrid]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// The id of the reference record of a table that has this name.
pub async fn id_named(
    executor: &dyn Executor,
    tables: Tables<'_>,
    table: &'static str,
    name: &str,
) -> Result<Option<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE {} LIMIT 1",
        tables.table(table),
        tables.equals(table, "name", "$1::text")
    );
    let rows = executor.rows(&sql, &[&name]).await?;
    Ok(rows.first().map(|row| row.get("id")))
}

/// A user's document.
pub async fn user(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    let sql = format!("SELECT jsonb FROM {} WHERE id = $1", tables.table("users"));
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}

/// The settings of protected fields; empty if a composition lacks their area.
pub async fn field_protections(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<Vec<Value>, StoreError> {
    const TABLE: &str = "marc_field_protection_settings";
    if tables.catalog.get(TABLE).is_none() {
        return Ok(Vec::new());
    }
    let sql = format!("SELECT jsonb FROM {} ORDER BY id", tables.table(TABLE));
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.iter().map(|row| row.get("jsonb")).collect())
}
