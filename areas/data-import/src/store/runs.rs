//! Runs: unfinished jobs and their claims. A worker claims a run by a row lock: if the process ends, so
//! does the lock, and another worker continues.

use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

/// A job with work.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub job: Uuid,
    /// The file with its records, if there is one.
    pub file: Option<Uuid>,
    /// The form of that file's records.
    pub format: Option<String>,
    /// The offset read so far.
    pub read_bytes: i64,
    /// The number of records read.
    pub read_records: i64,
    /// The number of unfinished attempts at the next portion.
    pub attempts: i32,
    /// The reduced portion size, if it is fewer than usual.
    pub records: Option<i32>,
    /// Why the last attempt failed, if it was recorded.
    pub reason: Option<String>,
}

/// Adds a run for a job.
pub(crate) async fn begin(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.import_run (job) VALUES ($1) ON CONFLICT (job) DO NOTHING",
        tenant.schema()
    );
    executor.rows(&sql, &[&job]).await?;
    Ok(())
}

/// Adds a run for a job's file.
pub(crate) async fn read_file(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: Uuid,
    file: Uuid,
    format: &str,
) -> Result<bool, StoreError> {
    let sql = format!(
        "UPDATE {}.import_run SET file = $2, format = $3 WHERE job = $1 AND file IS NULL \
         RETURNING job",
        tenant.schema()
    );
    Ok(!executor
        .rows(&sql, &[&job, &file, &format])
        .await?
        .is_empty())
}

/// The oldest run with work that is neither locked nor backing off, locked until the transaction ends.
pub(crate) async fn hold_next(
    transaction: &Transaction,
    tenant: &Tenant,
) -> Result<Option<Run>, StoreError> {
    // `OF run`, since PostgreSQL cannot lock the nullable side of an outer join.
    let sql = format!(
        "SELECT run.job, file, format, read_bytes, read_records, coalesce(attempts, \
         0) AS attempts, \
         attempt.records, reason FROM {schema}.import_run AS run \
         LEFT JOIN {schema}.import_attempt AS attempt ON attempt.job = run.job \
         WHERE (file IS NOT NULL OR EXISTS (SELECT 1 FROM {schema}.import_chunk AS chunk \
         WHERE chunk.job = run.job AND chunk.records IS NOT NULL)) \
         AND coalesce(waits_until <= now(), true) \
         ORDER BY run.number LIMIT 1 FOR UPDATE OF run SKIP LOCKED",
        schema = tenant.schema()
    );
    let rows = transaction.rows(&sql, &[]).await?;
    Ok(rows.first().map(|row| Run {
        job: row.get("job"),
        file: row.get("file"),
        format: row.get("format"),
        read_bytes: row.get("read_bytes"),
        read_records: row.get("read_records"),
        attempts: row.get("attempts"),
        records: row.get("records"),
        reason: row.get("reason"),
    }))
}

/// Stores the progress in a job's file.
pub(crate) async fn reach(
    transaction: &Transaction,
    tenant: &Tenant,
    run: &Run,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.import_run SET file = $2, read_bytes = $3, read_records = $4 WHERE job = $1",
        tenant.schema()
    );
    transaction
        .rows(
            &sql,
            &[&run.job, &run.file, &run.read_bytes, &run.read_records],
        )
        .await?;
    Ok(())
}

/// Ends a run and drops its queued work. Waits for its worker.
pub(crate) async fn end(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: Uuid,
) -> Result<(), StoreError> {
    let schema = tenant.schema();
    for table in ["import_run", "import_attempt"] {
        let sql = format!("DELETE FROM {schema}.{table} WHERE job = $1");
        executor.rows(&sql, &[&job]).await?;
    }
    let sql = format!(
        "UPDATE {schema}.import_chunk SET records = NULL WHERE job = $1 AND records IS NOT NULL"
    );
    executor.rows(&sql, &[&job]).await?;
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

/// Locks a run, waiting for its worker, until the transaction ends.
pub(crate) async fn hold(
    transaction: &Transaction,
    tenant: &Tenant,
    job: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT 1 FROM {}.import_run WHERE job = $1 FOR UPDATE",
        tenant.schema()
    );
    transaction.rows(&sql, &[&job]).await?;
    Ok(())
}
