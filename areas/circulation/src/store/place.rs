//! Service points and locations.

use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::{Tables, read};
use crate::due_date::HoldShelf;

/// How long a service point keeps items for those who asked for them; as by default when it does
/// not exist.
///
/// # Errors
/// When the database does not answer.
pub async fn hold_shelf(
    executor: &impl Executor,
    tables: Tables<'_>,
    service_point_id: Uuid,
) -> Result<HoldShelf, StoreError> {
    match document(executor, tables, "service_point", service_point_id).await? {
        Some(point) => read("service point", point),
        None => Ok(HoldShelf::default()),
    }
}

/// A location with the library, campus and institution that it belongs to.
///
/// # Errors
/// When the database does not answer.
pub async fn location(
    executor: &impl Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    document(executor, tables, "location", id).await
}

async fn document(
    executor: &impl Executor,
    tables: Tables<'_>,
    table: &str,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    let sql = format!("SELECT jsonb FROM {} WHERE id = $1", tables.table(table));
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get(0)))
}
