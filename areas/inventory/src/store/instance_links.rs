//! The records that link instances.

use octavo_postgres::Transaction;
use octavo_records::{StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

/// The links of a table in which a property holds this instance's id. Table and property are names
/// of inventory's own, never a client's.
///
/// # Errors
/// When the database does not answer.
pub async fn read(
    transaction: &Transaction,
    tenant: &Tenant,
    table: &'static str,
    property: &'static str,
    instance: Uuid,
) -> Result<Vec<(Uuid, Value)>, StoreError> {
    let column = property.to_lowercase();
    let sql = format!(
        "SELECT id, jsonb FROM {}.{table} WHERE {column} = $1 ORDER BY id",
        tenant.schema()
    );
    let rows = transaction.query(&sql, &[&instance]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}
