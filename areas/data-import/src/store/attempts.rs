//! Counts unfinished attempts at a job's next portion.

use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

use crate::rules::retry_policy::Attempt;

/// Counts an attempt before it begins, in a separate transaction, so that a crash does not undo the
/// count.
pub(crate) async fn begin(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: Uuid,
    attempt: Attempt,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.import_attempt (job, attempts, records) VALUES ($1, $2, $3) \
         ON CONFLICT (job) DO UPDATE SET attempts = excluded.attempts, records = excluded.records",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&job, &attempt.number, &attempt.records])
        .await?;
    Ok(())
}

/// Stores why an attempt failed, and the back-off.
pub(crate) async fn pause(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: Uuid,
    seconds: i32,
    reason: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.import_attempt SET waits_until = now() + make_interval(secs => $2::integer), \
         reason = $3 WHERE job = $1",
        tenant.schema()
    );
    executor.rows(&sql, &[&job, &seconds, &reason]).await?;
    Ok(())
}

/// Resets the attempts after a success. The reduced portion size stays.
pub(crate) async fn succeed(
    transaction: &Transaction,
    tenant: &Tenant,
    job: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.import_attempt SET attempts = 0, waits_until = NULL, reason = NULL WHERE job = $1",
        tenant.schema()
    );
    transaction.rows(&sql, &[&job]).await?;
    Ok(())
}
