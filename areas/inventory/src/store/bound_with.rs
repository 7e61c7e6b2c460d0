//! The parts of items that bind several titles.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

/// The parts of an item, locked: each with its holdings.
#[boxed]
pub async fn parts_of(
    transaction: &Transaction,
    tenant: &Tenant,
    item: Uuid,
) -> Result<Vec<(Uuid, Uuid)>, StoreError> {
    let sql = format!(
        "SELECT id, holdingsrecordid FROM {}.bound_with_part WHERE itemid = $1 ORDER BY id \
         FOR NO KEY UPDATE",
        tenant.schema()
    );
    let rows = transaction.query(&sql, &[&item]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("holdingsrecordid")))
        .collect())
}
