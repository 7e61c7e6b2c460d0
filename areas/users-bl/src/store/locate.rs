//! Finds users by a remembered value.

use octavo_records::expression::equality;
use octavo_records::{Collection, Executor, IndexKind, StoreError};
use serde_json::Value;

use super::Tables;

/// Whether a property of users has an index: others are not searched, since anybody may call this
/// without a log-in.
#[must_use]
pub fn can_be_looked_up(users: &Collection, property: &str) -> bool {
    users.indexes.iter().any(|index| {
        let equality = matches!(
            index.kind,
            IndexKind::UniqueIndex | IndexKind::Index | IndexKind::LikeIndex
        );
        index.field == property && equality && index.fields.is_empty() && !index.number
    })
}

/// Up to two users with this value in one of the properties.
pub async fn users(
    executor: &dyn Executor,
    tables: Tables<'_>,
    properties: &[String],
    value: &str,
) -> Result<Vec<Value>, StoreError> {
    let collection = tables.catalog.get("users");
    let collection = collection.expect("invariant: the areas declare the tables they query");
    let conditions: Vec<String> = properties
        .iter()
        .filter(|property| can_be_looked_up(collection, property))
        .map(|property| equality(collection, property, "$1::text"))
        .collect();
    if conditions.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {} LIMIT 2",
        tables.table("users"),
        conditions.join(" OR ")
    );
    let rows = executor.rows(&sql, &[&value]).await?;
    Ok(rows.iter().map(|row| row.get("jsonb")).collect())
}

/// A user by id.
pub async fn by_id(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: uuid::Uuid,
) -> Result<Option<Value>, StoreError> {
    let sql = format!("SELECT jsonb FROM {} WHERE id = $1", tables.table("users"));
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}
