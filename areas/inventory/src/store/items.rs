//! Items by what they hang on.

use octavo_postgres::Database;
use octavo_postgres::Transaction;
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

/// The ids of the items of some holdings, locked in their order until the transaction ends.
///
/// # Errors
/// When the database does not answer.
pub async fn lock_items_of(
    transaction: &Transaction,
    tenant: &Tenant,
    holdings: &[Uuid],
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {}.item WHERE holdingsrecordid = ANY($1) ORDER BY id FOR NO KEY UPDATE",
        tenant.schema()
    );
    let rows = transaction.query(&sql, &[&holdings]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// The ids of the items that a holdings record shares with others, `most` at most.
///
/// # Errors
/// When the database does not answer.
pub async fn bound_with(
    database: &Database,
    tenant: &Tenant,
    holdings: Uuid,
    most: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT itemid FROM {}.bound_with_part WHERE holdingsrecordid = $1 LIMIT $2",
        tenant.schema()
    );
    let rows = database.query(&sql, &[&holdings, &most]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}
