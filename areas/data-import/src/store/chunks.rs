//! The queue of chunks.

use octavo_library::{ChunkId, JobExecutionId, UserId};
use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;

/// Stores a chunk; returns false when its id is known.
pub(crate) async fn insert(
    executor: &dyn Executor,
    tenant: &Tenant,
    (id, job): (ChunkId, JobExecutionId),
    sent_by: Option<UserId>,
    format: &str,
    records: Option<&Value>,
) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO {}.import_chunk (id, job, format, records, sent_by) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (id) DO NOTHING RETURNING id",
        tenant.schema()
    );
    let rows = executor
        .rows(&sql, &[&id, &job, &format, &records, &sent_by])
        .await?;
    Ok(!rows.is_empty())
}

/// A chunk of a job.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub id: ChunkId,
    /// Whose permissions count; nobody's when a module sent it.
    pub sent_by: Option<UserId>,
    /// The form of its records.
    pub format: String,
    /// The records, each with text and position.
    pub records: Value,
}

/// The oldest queued chunk of a job.
pub(crate) async fn oldest(
    transaction: &Transaction,
    tenant: &Tenant,
    job: JobExecutionId,
) -> Result<Option<Chunk>, StoreError> {
    let sql = format!(
        "SELECT id, sent_by, format, records FROM {}.import_chunk WHERE job = $1 AND records IS NOT NULL \
         ORDER BY number LIMIT 1",
        tenant.schema()
    );
    let rows = transaction.rows(&sql, &[&job]).await?;
    Ok(rows.first().map(|row| Chunk {
        id: row.get("id"),
        sent_by: row.get("sent_by"),
        format: row.get("format"),
        records: row.get("records"),
    }))
}

/// Replaces a chunk's records by the unprocessed ones.
pub(crate) async fn leave(
    transaction: &Transaction,
    tenant: &Tenant,
    id: ChunkId,
    rest: &Value,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.import_chunk SET records = $2 WHERE id = $1",
        tenant.schema()
    );
    transaction.rows(&sql, &[&id, &rest]).await?;
    Ok(())
}

/// Removes the contents of a processed chunk; its id stays known, to detect repetitions.
pub(crate) async fn done(
    transaction: &Transaction,
    tenant: &Tenant,
    id: ChunkId,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.import_chunk SET records = NULL WHERE id = $1",
        tenant.schema()
    );
    transaction.rows(&sql, &[&id]).await?;
    Ok(())
}

/// The number of queued bytes and chunks of a job.
pub(crate) async fn waiting(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
) -> Result<i64, StoreError> {
    let sql = format!(
        "SELECT count(*) FROM {}.import_chunk WHERE job = $1 AND records IS NOT NULL",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&job]).await?;
    Ok(rows.first().map_or(0, |row| row.get("count")))
}
