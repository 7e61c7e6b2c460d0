//! Exported files in portions, and links to them.

use octavo_library::{ExportJobId, StoredFileId};
use octavo_postgres::{Database, Transaction};
use octavo_records::{Executor, StoreError, Tenant};

use super::jobs::QUEUE;

/// Bytes of one portion at most.
pub const PORTION_BYTES: usize = 4 << 20;

/// A file's metadata.
#[derive(Debug, Clone)]
pub struct File {
    pub id: StoredFileId,
    pub name: String,
    /// Its length in bytes.
    pub bytes: i64,
    /// In how many portions.
    pub portions: i32,
}

pub async fn begin(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: StoredFileId,
    job: ExportJobId,
    name: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.data_export_file (id, job, name) VALUES ($1, $2, $3)",
        tenant.schema()
    );
    executor.rows(&sql, &[&id, &job, &name]).await?;
    Ok(())
}

/// Appends bytes to a file.
///
/// # Errors
/// When the file was deleted.
pub async fn append(
    transaction: &Transaction,
    tenant: &Tenant,
    file: StoredFileId,
    bytes: &[u8],
) -> Result<(), StoreError> {
    let sql = format!(
        "WITH longer AS (UPDATE {schema}.data_export_file SET bytes = bytes + $3, \
         portions = portions + 1 WHERE id = $1 RETURNING portions) \
         INSERT INTO {schema}.data_export_portion (file, number, bytes) \
         SELECT $1, portions, $2 FROM longer",
        schema = tenant.schema()
    );
    for part in bytes.chunks(PORTION_BYTES) {
        let length = part.len() as i64;
        if transaction.execute(&sql, &[&file, &part, &length]).await? == 0 {
            return Err(StoreError::fault("the file was deleted"));
        }
    }
    Ok(())
}

/// Marks a file as complete, so that it can be downloaded.
pub async fn finish(
    executor: &dyn Executor,
    tenant: &Tenant,
    file: StoredFileId,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.data_export_file SET is_whole = true WHERE id = $1",
        tenant.schema()
    );
    executor.rows(&sql, &[&file]).await?;
    Ok(())
}

/// A complete file of a job.
pub async fn of_job(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: ExportJobId,
    file: StoredFileId,
) -> Result<Option<File>, StoreError> {
    let sql = format!(
        "SELECT id, name, bytes, portions FROM {}.data_export_file \
         WHERE id = $1 AND job = $2 AND is_whole",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&file, &job]).await?;
    Ok(rows.first().map(read))
}

fn read(row: &octavo_postgres::Row) -> File {
    File {
        id: row.get("id"),
        name: row.get("name"),
        bytes: row.get("bytes"),
        portions: row.get("portions"),
    }
}

/// One portion, counted from 1.
pub async fn portion(
    database: &Database,
    tenant: &Tenant,
    file: StoredFileId,
    number: i32,
) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = format!(
        "SELECT bytes FROM {}.data_export_portion WHERE file = $1 AND number = $2",
        tenant.schema()
    );
    let rows = database.query(&sql, &[&file, &number]).await?;
    Ok(rows.first().map(|row| row.get("bytes")))
}

/// Deletes the files of jobs, with their links.
pub async fn delete_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    jobs: &[ExportJobId],
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.data_export_file WHERE job = ANY($1)",
        tenant.schema()
    );
    executor.rows(&sql, &[&jobs]).await?;
    Ok(())
}

/// Deletes files older than the given number of days, and their ids in jobs; expired links are deleted
/// too.
pub async fn delete_old(
    executor: &dyn Executor,
    tenant: &Tenant,
    days: i64,
) -> Result<i64, StoreError> {
    let schema = tenant.schema();
    let links = format!("DELETE FROM {schema}.data_export_link WHERE until < now()");
    executor.rows(&links, &[]).await?;
    let sql = format!(
        "WITH old AS (DELETE FROM {schema}.data_export_file AS file \
         WHERE made < now() - make_interval(days => $1::int) AND is_whole RETURNING job), \
         updated AS (UPDATE {schema}.data_export_job_executions SET jsonb = jsonb || jsonb_build_object( \
         'exportedFiles', (SELECT coalesce(jsonb_agg(one - 'fileId'), '[]') \
         FROM jsonb_array_elements(jsonb->'exportedFiles') AS one)) \
         WHERE id IN (SELECT job FROM old)) SELECT count(*) FROM old"
    );
    let days = i32::try_from(days).unwrap_or(i32::MAX);
    let rows = executor.rows(&sql, &[&days]).await?;
    Ok(rows.first().map_or(0, |row| row.get("count")))
}

/// Deletes the declared and uploaded files older than the given number of hours whose jobs are done;
/// returns how many.
pub async fn delete_old_uploads(
    executor: &dyn Executor,
    tenant: &Tenant,
    hours: i64,
) -> Result<i64, StoreError> {
    let sql = format!(
        "WITH old AS (DELETE FROM {schema}.data_export_file_definitions AS definition \
         WHERE (jsonb->'metadata'->>'createdDate')::timestamptz < now() - make_interval(hours => $1::int) \
         AND NOT {at_work} \
         RETURNING 1) SELECT count(*) FROM old",
        schema = tenant.schema(),
        at_work = QUEUE.has(tenant.schema(), "job.id = definition.jobexecutionid"),
    );
    let hours = i32::try_from(hours).unwrap_or(i32::MAX);
    let rows = executor.rows(&sql, &[&hours]).await?;
    Ok(rows.first().map_or(0, |row| row.get("count")))
}

/// Creates a link to a file with a lifetime in seconds. Only the hash of the secret is stored.
pub async fn link(
    executor: &dyn Executor,
    tenant: &Tenant,
    file: StoredFileId,
    secret: &str,
    seconds: i64,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.data_export_link (secret, file, until) \
         VALUES (sha256(convert_to($1, 'UTF8')), $2, now() + make_interval(secs => $3))",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&secret, &file, &(seconds as f64)])
        .await?;
    Ok(())
}

/// The file of a valid link.
pub async fn linked(
    executor: &dyn Executor,
    tenant: &Tenant,
    file: StoredFileId,
    secret: &str,
) -> Result<Option<File>, StoreError> {
    let sql = format!(
        "SELECT file.id, file.name, file.bytes, file.portions FROM {schema}.data_export_link AS link \
         JOIN {schema}.data_export_file AS file ON file.id = link.file \
         WHERE link.secret = sha256(convert_to($1, 'UTF8')) AND link.file = $2 AND link.until > now() \
         AND file.is_whole",
        schema = tenant.schema()
    );
    let rows = executor.rows(&sql, &[&secret, &file]).await?;
    Ok(rows.first().map(read))
}
