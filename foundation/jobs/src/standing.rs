//! What stands in the queues of a tenant, for those who look after it.

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

/// One queue with jobs in it.
#[derive(Debug)]
pub struct QueueStanding {
    pub name: String,
    pub jobs: i64,
    /// Jobs of which a portion was begun and not finished: being done, or broken off a moment ago.
    pub running: i64,
    /// Jobs whose last portion failed, and which are tried again.
    pub failing: i64,
    pub oldest: Timestamp,
}

/// One job.
#[derive(Debug)]
pub struct JobStanding {
    pub id: Uuid,
    pub queue: String,
    pub progress: Value,
    pub attempts: i32,
    /// Why the last attempt failed.
    pub reason: Option<String>,
    pub added: Timestamp,
}

/// The queues that are not empty, by name.
///
/// # Errors
/// When the database cannot be asked.
#[boxed]
pub async fn queues(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<Vec<QueueStanding>, StoreError> {
    let sql = format!(
        "SELECT job.queue, count(*) AS jobs, min(job.added) AS oldest, \
           count(*) FILTER (WHERE attempt.attempts > 0 AND attempt.reason IS NULL) AS running, \
           count(*) FILTER (WHERE attempt.reason IS NOT NULL) AS failing \
         FROM {0}.octavo_job AS job LEFT JOIN {0}.octavo_job_attempt AS attempt \
           ON attempt.queue = job.queue AND attempt.id = job.id \
         GROUP BY job.queue ORDER BY job.queue",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    let standing = rows.iter().map(|row| QueueStanding {
        name: row.get("queue"),
        jobs: row.get("jobs"),
        running: row.get("running"),
        failing: row.get("failing"),
        oldest: row.get("oldest"),
    });
    Ok(standing.collect())
}

/// The jobs that are there longest.
///
/// # Errors
/// When the database cannot be asked.
#[boxed]
pub async fn oldest(
    executor: &dyn Executor,
    tenant: &Tenant,
    most: i64,
) -> Result<Vec<JobStanding>, StoreError> {
    let sql = format!(
        "SELECT job.id, job.queue, job.progress, job.added, attempt.reason, \
           coalesce(attempt.attempts, 0) AS attempts \
         FROM {0}.octavo_job AS job LEFT JOIN {0}.octavo_job_attempt AS attempt \
           ON attempt.queue = job.queue AND attempt.id = job.id \
         ORDER BY job.added, job.queue, job.turn LIMIT $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&most]).await?;
    let standing = rows.iter().map(|row| JobStanding {
        id: row.get("id"),
        queue: row.get("queue"),
        progress: row.get("progress"),
        attempts: row.get("attempts"),
        reason: row.get("reason"),
        added: row.get("added"),
    });
    Ok(standing.collect())
}
