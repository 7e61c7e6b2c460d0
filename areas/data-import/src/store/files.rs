//! Uploaded files, in portions.

use octavo_library::{StoredFileId, UploadDefinitionId};
use octavo_records::{Executor, StoreError, Tenant};

use super::runs::QUEUE;

/// Adds a portion behind the others.
pub(crate) async fn add(
    executor: &dyn Executor,
    tenant: &Tenant,
    file: StoredFileId,
    number: i32,
    begins: i64,
    bytes: &[u8],
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.import_file_portion (file, number, begins, bytes) VALUES ($1, $2, $3, $4)",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&file, &number, &begins, &bytes])
        .await?;
    Ok(())
}

/// The portion with an offset, and its beginning; `None` after the end.
pub(crate) async fn portion(
    executor: &dyn Executor,
    tenant: &Tenant,
    file: StoredFileId,
    place: i64,
) -> Result<Option<(i64, Vec<u8>)>, StoreError> {
    let sql = format!(
        "SELECT begins, bytes FROM {}.import_file_portion WHERE file = $1 AND begins <= $2 \
         ORDER BY begins DESC LIMIT 1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&file, &place]).await?;
    Ok(rows.first().and_then(|row| {
        let (begins, bytes): (i64, Vec<u8>) = (row.get("begins"), row.get("bytes"));
        (begins + bytes.len() as i64 > place).then_some((begins, bytes))
    }))
}

/// Portions of one statement.
const REMOVED_AT_ONCE: i64 = 256;

/// Removes files, some portions per statement, since a file may have thousands.
pub(crate) async fn remove(
    executor: &dyn Executor,
    tenant: &Tenant,
    files: &[StoredFileId],
) -> Result<(), StoreError> {
    let sql = format!(
        "WITH gone AS (DELETE FROM {schema}.import_file_portion WHERE (file, number) IN \
         (SELECT file, number FROM {schema}.import_file_portion WHERE file = ANY($1) LIMIT $2) \
         RETURNING 1) SELECT count(*) FROM gone",
        schema = tenant.schema()
    );
    loop {
        let rows = executor.rows(&sql, &[&files, &REMOVED_AT_ONCE]).await?;
        if rows.first().map_or(0, |row| row.get("count")) < REMOVED_AT_ONCE {
            return Ok(());
        }
    }
}

/// Removes the portions of a file before the one with an offset.
pub(crate) async fn remove_before(
    executor: &dyn Executor,
    tenant: &Tenant,
    file: StoredFileId,
    place: i64,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {schema}.import_file_portion WHERE file = $1 AND begins < (SELECT max(begins) \
         FROM {schema}.import_file_portion WHERE file = $1 AND begins <= $2)",
        schema = tenant.schema()
    );
    executor.rows(&sql, &[&file, &place]).await?;
    Ok(())
}

/// Definitions with waiting files, unchanged since an instant.
pub(crate) async fn forgotten(
    executor: &dyn Executor,
    tenant: &Tenant,
    before: &str,
) -> Result<Vec<UploadDefinitionId>, StoreError> {
    let sql = format!(
        "SELECT id FROM {}.upload_definition WHERE jsonb->>'status' <> 'COMPLETED' \
         AND coalesce(jsonb->'metadata'->>'updatedDate', jsonb->>'createDate') < $1 \
         AND jsonb->'fileDefinitions' @? '$[*] ? (@.status == \"UPLOADED\" || @.status == \"UPLOADING\")' \
         LIMIT 1000",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&before]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// Files that no job will read: not referenced by a run, a waiting definition or a multipart upload.
/// Includes portions of interrupted and overtaken uploads.
pub(crate) async fn unused(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<Vec<StoredFileId>, StoreError> {
    // In one statement, because a file moves from its definition to its job in one transaction and would
    // be missed by two snapshots.
    let sql = format!(
        "SELECT file FROM (SELECT DISTINCT file FROM {schema}.import_file_portion) AS kept \
         WHERE NOT {at_work} \
         AND NOT EXISTS (SELECT 1 FROM {schema}.import_upload_part AS part \
         WHERE part.file = kept.file OR part.coming = kept.file) \
         AND file::text NOT IN (SELECT unnest(ARRAY[coalesce(substring(one->>'sourcePath' from '[^/]+$'), ''), \
         coalesce(one->>'id', '')]) \
         FROM {schema}.upload_definition, jsonb_array_elements(jsonb->'fileDefinitions') AS one \
         WHERE jsonb->>'status' <> 'COMPLETED' AND one->>'status' IN ('UPLOADED', 'UPLOADING')) \
         LIMIT 1000",
        schema = tenant.schema(),
        at_work = QUEUE.has(tenant.schema(), "job.progress->>'file' = kept.file::text"),
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.iter().map(|row| row.get("file")).collect())
}
