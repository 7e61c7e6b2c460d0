//! Records that users refer to: locked while users are written, and checked before they are deleted.

use octavo_postgres::Transaction;
use octavo_records::expression::AMONG_IDS;
use octavo_records::plan::{Plan, Sql};
use octavo_records::{Collection, Executor, StoreError, Tenant};
use uuid::Uuid;

/// Those of these address types that exist, locked against deletion until the transaction ends.
pub async fn hold_address_types(
    executor: &dyn Executor,
    tenant: &Tenant,
    ids: &[Uuid],
) -> Result<Vec<Uuid>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    // `FOR KEY SHARE` blocks a deletion only; the order by id prevents deadlocks between two changes.
    let sql = format!(
        "SELECT id FROM {}.addresstype WHERE id {AMONG_IDS} ORDER BY id FOR KEY SHARE",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// Locks a record exclusively, so that nobody can begin to refer to it before it is deleted; returns
/// whether it exists.
pub async fn hold_for_deletion(
    transaction: &Transaction,
    tenant: &Tenant,
    collection: &Collection,
    id: Uuid,
) -> Result<bool, StoreError> {
    // Only `FOR UPDATE` conflicts with the `FOR KEY SHARE` of a writer who refers to the record.
    let sql = format!(
        "SELECT 1 FROM {}.{} WHERE id = $1 FOR UPDATE",
        tenant.schema(),
        collection.table
    );
    Ok(transaction.query_opt(&sql, &[&id]).await?.is_some())
}

/// Whether a plan finds any record, inside a transaction.
pub async fn any(
    transaction: &Transaction,
    tenant: &Tenant,
    collection: &Collection,
    plan: &Plan,
) -> Result<bool, StoreError> {
    let sql = Sql::count(tenant.schema(), &collection.table, &plan.predicate, Some(1));
    let rows = transaction.query(&sql.text, &sql.bound()).await?;
    Ok(rows
        .first()
        .is_some_and(|row| row.get::<_, i64>("count") > 0))
}

/// The ids of a user's manual blocks, a table of fees.
pub async fn manual_blocks(
    executor: &dyn Executor,
    tenant: &Tenant,
    user: Uuid,
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {}.manualblocks WHERE left(lower(jsonb->>'userId'), 600) COLLATE \"C\" = $1 \
         ORDER BY id",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&user.to_string()]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}
