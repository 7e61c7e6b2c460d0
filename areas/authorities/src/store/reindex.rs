//! Writes events about unchanged authorities, and the progress of reindex jobs.

use octavo_postgres::Transaction;
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

use crate::collections::TOPIC;

/// A job that is not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The job's id.
    pub job: Uuid,
    /// The last published id.
    pub reached: Uuid,
}

/// Queues a job, unless `most` jobs wait already; returns whether it did.
pub async fn line_up(
    transaction: &Transaction,
    tenant: &Tenant,
    job: Uuid,
    most: i64,
) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "INSERT INTO {schema}.authority_job_run (job) SELECT $1 \
         WHERE (SELECT count(*) FROM {schema}.authority_job_run) < $2"
    );
    Ok(transaction.execute(&sql, &[&job, &most]).await? > 0)
}

/// The oldest job, locked until the transaction ends; `None` when there is none or another worker has
/// locked it.
pub async fn hold_oldest(
    transaction: &Transaction,
    tenant: &Tenant,
) -> Result<Option<Run>, StoreError> {
    let schema = tenant.schema();
    // `min`, not `ORDER BY number LIMIT 1`: with `SKIP LOCKED` that would return the second job while
    // the first is running.
    let sql = format!(
        "SELECT job, reached FROM {schema}.authority_job_run WHERE number = \
         (SELECT min(number) FROM {schema}.authority_job_run) FOR UPDATE SKIP LOCKED"
    );
    let row = transaction.query_opt(&sql, &[]).await?;
    Ok(row.map(|row| Run {
        job: row.get("job"),
        reached: row.get("reached"),
    }))
}

/// Writes events about the authorities after an id; returns how many, and the last id.
pub async fn emit_authorities(
    transaction: &Transaction,
    tenant: &Tenant,
    behind: Uuid,
    most: i64,
) -> Result<(i64, Option<Uuid>), StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH portion AS MATERIALIZED (SELECT id, jsonb FROM {schema}.authority WHERE id > $1 \
         ORDER BY id LIMIT $2), told AS (INSERT INTO {schema}.outbox (topic, key, type, new) \
         SELECT '{TOPIC}', id, 'REINDEX', jsonb FROM portion ORDER BY id) \
         SELECT count(*), (array_agg(id ORDER BY id DESC))[1] AS last FROM portion"
    );
    let row = transaction.query_opt(&sql, &[&behind, &most]).await?;
    Ok(row.map_or((0, None), |row| (row.get("count"), row.get("last"))))
}

/// Stores a job's progress.
pub async fn reach(
    transaction: &Transaction,
    tenant: &Tenant,
    job: Uuid,
    reached: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.authority_job_run SET reached = $2 WHERE job = $1",
        tenant.schema()
    );
    transaction.execute(&sql, &[&job, &reached]).await?;
    Ok(())
}

/// Removes a job from the queue.
pub async fn end(transaction: &Transaction, tenant: &Tenant, job: Uuid) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.authority_job_run WHERE job = $1",
        tenant.schema()
    );
    transaction.execute(&sql, &[&job]).await?;
    Ok(())
}
