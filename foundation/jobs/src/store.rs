//! The statements of the queue. A job's row is locked without its key (`FOR NO KEY UPDATE`), because the row of
//! its attempts refers to it and is written by another connection meanwhile.

use octavo_boxed::boxed;
use octavo_postgres::{Row, Transaction};
use octavo_records::{Executor, Last, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

use crate::queue::{NewJob, Order, Queue};
use crate::retry::Attempt;
use crate::work::Job;

/// A job that the transaction holds.
#[derive(Debug)]
pub(crate) struct Held {
    pub job: Job,
    pub cancelled: bool,
    /// Attempts that were begun and not finished.
    pub attempts: i32,
    /// Why the last one was not, where that could still be noted.
    pub reason: Option<String>,
}

const COLUMNS: &str = "job.id, job.key, job.progress, \
     job.cancelled OR coalesce(attempt.cancelled, false) AS cancelled, \
     coalesce(attempt.attempts, 0) AS attempts, coalesce(attempt.divisor, 1) AS divisor, attempt.reason";

fn held(row: &Row) -> Held {
    Held {
        job: Job {
            id: row.get("id"),
            key: row.get("key"),
            progress: row.get("progress"),
            divisor: row.get("divisor"),
            is_beside_requests: false,
        },
        cancelled: row.get("cancelled"),
        attempts: row.get("attempts"),
        reason: row.get("reason"),
    }
}

/// Adds a job, unless the queue has `most` already or one of its id.
#[boxed]
pub(crate) async fn add(
    executor: &dyn Executor,
    tenant: &Tenant,
    queue: &Queue,
    job: &NewJob,
    most: Option<i64>,
) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO {schema}.octavo_job (queue, id, key, progress) SELECT $1, $2, $3, $4::jsonb \
         WHERE $5::bigint IS NULL \
         OR (SELECT count(*) FROM {schema}.octavo_job WHERE queue = $1) < $5::bigint \
         ON CONFLICT (queue, id) DO NOTHING RETURNING id",
        schema = tenant.schema()
    );
    let rows = executor
        .rows(
            &sql,
            &[&queue.name, &job.id, &job.key, &job.progress, &most],
        )
        .await?;
    Ok(!rows.is_empty())
}

/// Whether the queue has any job: mostly it has none, and a lane says so without a connection of the pool.
#[boxed]
pub(crate) async fn is_any(
    executor: &dyn Executor,
    tenant: &Tenant,
    queue: &Queue,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT 1 AS one FROM {}.octavo_job WHERE queue = $1 LIMIT 1",
        tenant.schema()
    );
    Ok(!executor.rows(&sql, &[&queue.name]).await?.is_empty())
}

/// The job whose turn it is, held until the transaction ends; none when others hold all that can be done.
#[boxed]
pub(crate) async fn hold_next(
    transaction: &Transaction,
    tenant: &Tenant,
    queue: &Queue,
) -> Result<Option<Held>, StoreError> {
    let schema = tenant.schema();
    let ready = queue.ready.map_or_else(String::new, |ready| {
        format!(
            "AND (job.cancelled OR coalesce(attempt.cancelled, false) OR ({})) ",
            ready(schema)
        )
    });
    let sql = format!(
        "SELECT {COLUMNS} FROM {schema}.octavo_job AS job \
         LEFT JOIN {schema}.octavo_job_attempt AS attempt \
         ON attempt.queue = job.queue AND attempt.id = job.id \
         WHERE job.queue = $1 AND coalesce(attempt.not_before <= now(), true) \
         AND NOT EXISTS (SELECT FROM {schema}.octavo_job AS earlier WHERE earlier.queue = job.queue \
         AND earlier.key = job.key AND earlier.turn < job.turn) {ready}\
         ORDER BY job.turn LIMIT 1 FOR NO KEY UPDATE OF job SKIP LOCKED"
    );
    let rows = transaction.rows(&sql, &[&queue.name]).await?;
    Ok(rows.first().map(held))
}

/// A job, held until the transaction ends; none when it is over or somebody else holds it.
#[boxed]
pub(crate) async fn hold(
    transaction: &Transaction,
    tenant: &Tenant,
    queue: &Queue,
    id: Uuid,
) -> Result<Option<Held>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {schema}.octavo_job AS job \
         LEFT JOIN {schema}.octavo_job_attempt AS attempt \
         ON attempt.queue = job.queue AND attempt.id = job.id \
         WHERE job.queue = $1 AND job.id = $2 FOR NO KEY UPDATE OF job SKIP LOCKED",
        schema = tenant.schema()
    );
    let rows = transaction.rows(&sql, &[&queue.name, &id]).await?;
    Ok(rows.first().map(held))
}

/// The progress of a job, which is waited for and held until the transaction ends.
#[boxed]
pub(crate) async fn wait_for(
    transaction: &Transaction,
    tenant: &Tenant,
    queue: &Queue,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    let sql = format!(
        "SELECT progress FROM {}.octavo_job WHERE queue = $1 AND id = $2 FOR NO KEY UPDATE",
        tenant.schema()
    );
    let rows = transaction.rows(&sql, &[&queue.name, &id]).await?;
    Ok(rows.first().map(|row| row.get("progress")))
}

/// Writes how far a job is.
#[boxed]
pub(crate) async fn set_progress(
    executor: &dyn Executor,
    tenant: &Tenant,
    queue: &Queue,
    id: Uuid,
    progress: &Value,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.octavo_job SET progress = $3 WHERE queue = $1 AND id = $2",
        tenant.schema()
    );
    executor.rows(&sql, &[&queue.name, &id, progress]).await?;
    Ok(())
}

/// Keeps what a portion reached, and commits it with the portion. The attempts at it are over; portions stay as
/// small as they have become.
#[boxed]
pub(crate) async fn keep(
    transaction: &Transaction,
    tenant: &Tenant,
    queue: &Queue,
    id: Uuid,
    progress: &Value,
) -> Result<(), StoreError> {
    let turn = match queue.order {
        Order::Oldest => "",
        Order::Turns => ", turn = DEFAULT",
    };
    let sql = format!(
        "WITH kept AS (UPDATE {schema}.octavo_job SET progress = $3{turn} WHERE queue = $1 AND id = $2) \
         UPDATE {schema}.octavo_job_attempt SET attempts = 0, not_before = NULL, reason = NULL \
         WHERE queue = $1 AND id = $2",
        schema = tenant.schema()
    );
    let values: octavo_records::Values<'_> = &[&queue.name, &id, progress];
    Last(transaction).rows(&sql, values).await?;
    Ok(())
}

/// Takes a job out of its queue. Whoever does a portion of it is waited for.
#[boxed]
pub(crate) async fn remove(
    executor: &dyn Executor,
    tenant: &Tenant,
    queue: &Queue,
    id: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.octavo_job WHERE queue = $1 AND id = $2",
        tenant.schema()
    );
    executor.rows(&sql, &[&queue.name, &id]).await?;
    Ok(())
}

/// Marks a job as one that is to end, and lets it have its turn now. The mark is in the row of its attempts, which
/// no portion locks: the job's own row is locked as long as a portion takes, and a worker may lock it again before
/// whoever waits for it. `FOR KEY SHARE` waits only for a job that is being removed.
#[boxed]
pub(crate) async fn cancel(
    executor: &dyn Executor,
    tenant: &Tenant,
    queue: &Queue,
    id: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO {schema}.octavo_job_attempt AS attempt (queue, id, attempts, cancelled) \
         SELECT queue, id, 0, true FROM {schema}.octavo_job WHERE queue = $1 AND id = $2 FOR KEY SHARE \
         ON CONFLICT (queue, id) DO UPDATE SET cancelled = true, attempts = 0, not_before = NULL \
         RETURNING attempt.id",
        schema = tenant.schema()
    );
    let rows = executor.rows(&sql, &[&queue.name, &id]).await?;
    Ok(!rows.is_empty())
}

/// Counts an attempt before it begins, in a transaction of its own: what ends the attempt does not uncount it.
#[boxed]
pub(crate) async fn begin_attempt(
    executor: &dyn Executor,
    tenant: &Tenant,
    queue: &Queue,
    id: Uuid,
    attempt: Attempt,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.octavo_job_attempt (queue, id, attempts, divisor) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (queue, id) DO UPDATE SET attempts = excluded.attempts, divisor = excluded.divisor",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&queue.name, &id, &attempt.number, &attempt.divisor])
        .await?;
    Ok(())
}

/// Lets other jobs go first for some seconds, after so many attempts that were not finished. A job that was
/// cancelled while the attempt was made (`cancelled` says whether before it) does not wait.
#[boxed]
pub(crate) async fn pause(
    executor: &dyn Executor,
    tenant: &Tenant,
    queue: &Queue,
    id: Uuid,
    (attempts, seconds): (i32, i32),
    reason: Option<&str>,
    cancelled: bool,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.octavo_job_attempt SET reason = coalesce($5, reason), \
         attempts = CASE WHEN cancelled AND NOT $6 THEN 0 ELSE $3 END, \
         not_before = CASE WHEN cancelled AND NOT $6 THEN NULL \
         ELSE now() + make_interval(secs => $4::integer) END WHERE queue = $1 AND id = $2",
        tenant.schema()
    );
    executor
        .rows(
            &sql,
            &[&queue.name, &id, &attempts, &seconds, &reason, &cancelled],
        )
        .await?;
    Ok(())
}
