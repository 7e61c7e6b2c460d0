//! The queue of changes to propagate.

use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

/// A queued change.
#[derive(Debug, Clone)]
pub struct Change {
    /// Its position in the queue.
    pub number: i64,
    pub authority_id: Uuid,
    /// Whether linked records are to be unlinked.
    pub unlinks: bool,
    /// Who changed it.
    pub user_id: Option<Uuid>,
    /// The last processed link.
    pub reached: i64,
    /// The last link when the change was queued.
    pub until: i64,
}

/// Queues a change, if anything is linked to the authority.
pub async fn line_up(
    executor: &dyn Executor,
    tenant: &Tenant,
    authority_id: Uuid,
    unlinks: bool,
    user_id: Option<Uuid>,
) -> Result<(), StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "INSERT INTO {schema}.authority_change (authority_id, unlinks, user_id, until) \
         SELECT $1, $2, $3, id FROM {schema}.instance_authority_link WHERE authority_id = $1 \
         ORDER BY id DESC LIMIT 1"
    );
    executor
        .rows(&sql, &[&authority_id, &unlinks, &user_id])
        .await?;
    Ok(())
}

/// Whether the queue is not empty: a cheap check, since it mostly is empty.
pub async fn is_anything(executor: &dyn Executor, tenant: &Tenant) -> Result<bool, StoreError> {
    let sql = format!("SELECT 1 FROM {}.authority_change LIMIT 1", tenant.schema());
    Ok(!executor.rows(&sql, &[]).await?.is_empty())
}

/// The oldest change, locked until the transaction ends; `None` when there is none or another worker has
/// locked it. Processed in order, so that of two changes of an authority the later one is applied last.
pub async fn hold_oldest(
    transaction: &Transaction,
    tenant: &Tenant,
) -> Result<Option<Change>, StoreError> {
    // `min`, not `ORDER BY number LIMIT 1`: with `SKIP LOCKED` that would return the second change while
    // the first is being processed.
    let sql = format!(
        "SELECT number, authority_id, unlinks, user_id, reached, until FROM {schema}.authority_change \
         WHERE number = (SELECT min(number) FROM {schema}.authority_change) FOR UPDATE SKIP LOCKED",
        schema = tenant.schema()
    );
    let row = transaction.query_opt(&sql, &[]).await?;
    Ok(row.map(|row| Change {
        number: row.get("number"),
        authority_id: row.get("authority_id"),
        unlinks: row.get("unlinks"),
        user_id: row.get("user_id"),
        reached: row.get("reached"),
        until: row.get("until"),
    }))
}

/// Stores a change's progress.
pub async fn reach(
    transaction: &Transaction,
    tenant: &Tenant,
    number: i64,
    reached: i64,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.authority_change SET reached = $2 WHERE number = $1",
        tenant.schema()
    );
    transaction.execute(&sql, &[&number, &reached]).await?;
    Ok(())
}

/// Removes a change from the queue.
pub async fn end(
    transaction: &Transaction,
    tenant: &Tenant,
    number: i64,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.authority_change WHERE number = $1",
        tenant.schema()
    );
    transaction.execute(&sql, &[&number]).await?;
    Ok(())
}
