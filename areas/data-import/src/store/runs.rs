//! Which jobs are not finished, and who works on them. A run is held by a row lock: when a process ends,
//! so does its hold, and another continues.

use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

/// A job with work.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub job: Uuid,
    /// The file that its records come from, if they do.
    pub file: Option<Uuid>,
    /// The form of that file's records.
    pub format: Option<String>,
    /// How far the file has been read.
    pub read_bytes: i64,
    /// How many records that were.
    pub read_records: i64,
    /// How often the next portion was begun and not finished.
    pub attempts: i32,
    /// The most records of a transaction, where it is fewer than usual.
    pub records: Option<i32>,
    /// Why the last attempt failed, where it could still be told.
    pub reason: Option<String>,
}

/// Lets a job wait for work.
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

/// Gives a job a file to read.
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

/// The oldest job that has work, that nobody works on and that does not let others go first, locked
/// until the transaction ends.
pub(crate) async fn hold_next(
    transaction: &Transaction,
    tenant: &Tenant,
) -> Result<Option<Run>, StoreError> {
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

/// Keeps how far a job's file has been read.
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

/// Ends a job's work; what waits of it is dropped. Whoever works on it is waited for.
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

/// Lets only one job or load at a time look for what it matches: who comes later sees what the first
/// made.
pub(crate) async fn match_alone(
    transaction: &Transaction,
    tenant: &Tenant,
) -> Result<(), StoreError> {
    let key = format!("{} import matches", tenant.id());
    // A portion of the other job may take longer than a statement: to wait for it is no failure.
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

/// Waits for whoever works on a job, and keeps others from it until the transaction ends.
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
