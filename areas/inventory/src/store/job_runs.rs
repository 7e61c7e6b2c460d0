//! The progress of jobs: one row for each unfinished one. A worker locks the row until its portion
//! commits, so that no two workers run the same; if the process ends, so does the lock.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

/// A job that is not finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The job's id.
    pub job: Uuid,
    /// The table of its document.
    pub kind: String,
    /// The last processed id.
    pub reached: Uuid,
}

/// Queues a job, unless `most` jobs wait already; returns whether it did.
#[boxed]
pub async fn line_up(
    transaction: &Transaction,
    tenant: &Tenant,
    kind: &str,
    job: Uuid,
    most: i64,
) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO {schema}.inventory_job_run (job, kind) SELECT $1, $2 \
         WHERE (SELECT count(*) FROM {schema}.inventory_job_run) < $3",
        schema = tenant.schema()
    );
    let added = transaction.execute(&sql, &[&job, &kind, &most]).await?;
    Ok(added > 0)
}

/// The oldest job, locked until the transaction ends; `None` when there is none or another worker has
/// locked it.
#[boxed]
pub async fn hold_oldest(
    transaction: &Transaction,
    tenant: &Tenant,
) -> Result<Option<Run>, StoreError> {
    // `min`, not `ORDER BY number LIMIT 1`: with `SKIP LOCKED` that would return the second job while
    // the first is running.
    let sql = format!(
        "SELECT job, kind, reached FROM {schema}.inventory_job_run \
         WHERE number = (SELECT min(number) FROM {schema}.inventory_job_run) \
         FOR UPDATE SKIP LOCKED",
        schema = tenant.schema()
    );
    let rows = transaction.query(&sql, &[]).await?;
    Ok(rows.first().map(|row| Run {
        job: row.get("job"),
        kind: row.get("kind"),
        reached: row.get("reached"),
    }))
}

/// Stores a job's progress.
#[boxed]
pub async fn reach(
    transaction: &Transaction,
    tenant: &Tenant,
    job: Uuid,
    reached: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.inventory_job_run SET reached = $2 WHERE job = $1",
        tenant.schema()
    );
    transaction.execute(&sql, &[&job, &reached]).await?;
    Ok(())
}

/// Removes a job from the queue.
#[boxed]
pub async fn end(transaction: &Transaction, tenant: &Tenant, job: Uuid) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.inventory_job_run WHERE job = $1",
        tenant.schema()
    );
    transaction.execute(&sql, &[&job]).await?;
    Ok(())
}
