//! The queue of jobs, and how far the file of one has been read.

use octavo_jobs::{NewJob, Queue};
use octavo_library::{JobExecutionId, StoredFileId, UserId};
use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError, Tenant};
use serde::{Deserialize, Serialize};

/// A job is queued from its creation to its end, and is ready while it has a file or chunks. It is not added with
/// each chunk: the client of a chunk would wait for the row lock of the running portion.
pub(crate) static QUEUE: Queue = Queue {
    portions: 4,
    ready: Some(has_work),
    ..Queue::named("data-import")
};

fn has_work(schema: &str) -> String {
    format!(
        "job.progress->>'file' IS NOT NULL OR EXISTS (SELECT FROM {schema}.import_chunk AS chunk \
         WHERE chunk.job = job.id AND chunk.records IS NOT NULL)"
    )
}

/// Where a job's records come from: a file, or the chunks that clients send.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Run {
    /// The file, until it has been read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<StoredFileId>,
    /// The form of that file's records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Who had that file imported: its records are made with that user's permissions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_by: Option<UserId>,
    /// How far the file has been read.
    #[serde(default)]
    pub read_bytes: i64,
    /// How many records that were.
    #[serde(default)]
    pub read_records: i64,
}

/// Adds a run for a job.
pub(crate) async fn begin(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
) -> Result<(), StoreError> {
    let new = NewJob {
        id: job.uuid(),
        key: None,
        progress: serde_json::to_value(Run::default())?,
    };
    QUEUE.add(executor, tenant, new).await?;
    Ok(())
}

/// Gives a job a file to read; false when it has one, or is over.
pub(crate) async fn read_file(
    transaction: &Transaction,
    tenant: &Tenant,
    job: JobExecutionId,
    file: StoredFileId,
    format: &str,
    asked_by: Option<UserId>,
) -> Result<bool, StoreError> {
    let Some(progress) = QUEUE.hold(transaction, tenant, job.uuid()).await? else {
        return Ok(false);
    };
    let run = Run::deserialize(progress)?;
    if run.file.is_some() {
        return Ok(false);
    }
    let run = Run {
        file: Some(file),
        format: Some(format.to_owned()),
        asked_by,
        ..run
    };
    let progress = serde_json::to_value(run)?;
    QUEUE
        .set_progress(transaction, tenant, job.uuid(), &progress)
        .await?;
    Ok(true)
}

/// Ends a run and drops its queued work. Waits for its worker.
pub(crate) async fn end(
    transaction: &Transaction,
    tenant: &Tenant,
    job: JobExecutionId,
) -> Result<(), StoreError> {
    QUEUE.remove(transaction, tenant, job.uuid()).await?;
    let sql = format!(
        "UPDATE {}.import_chunk SET records = NULL WHERE job = $1 AND records IS NOT NULL",
        tenant.schema()
    );
    transaction.rows(&sql, &[&job]).await?;
    Ok(())
}

/// Takes the lock on matching: of two jobs or loads the second must see the records of the first.
pub(crate) async fn match_alone(
    transaction: &Transaction,
    tenant: &Tenant,
) -> Result<(), StoreError> {
    let key = format!("{} import matches", tenant.id());
    // Another job's portion may take longer than the statement time-out, so waiting for it must not
    // fail.
    let limit = "SELECT current_setting('statement_timeout') AS usual, \
                 set_config('statement_timeout', '0', true)";
    let rows = transaction.rows(limit, &[]).await?;
    let usual: String = rows
        .first()
        .map_or_else(String::new, |row| row.get("usual"));
    let sql = "SELECT 1 FROM pg_advisory_xact_lock(hashtextextended($1, 0))";
    transaction.rows(sql, &[&key]).await?;
    let limit = "SELECT set_config('statement_timeout', $1, true)";
    transaction.rows(limit, &[&usual]).await?;
    Ok(())
}
