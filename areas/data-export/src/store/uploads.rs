//! Uploaded files in portions. Each upload attempt has separate portions; only those of the complete
//! attempt are read.

use octavo_library::{FileDefinitionId, UploadAttemptId};
use octavo_records::{Executor, StoreError, Tenant};

/// Stores a portion, counted from 1.
///
/// # Errors
/// When the file definition was deleted.
pub async fn add(
    executor: &dyn Executor,
    tenant: &Tenant,
    definition: FileDefinitionId,
    attempt: UploadAttemptId,
    number: i32,
    bytes: &[u8],
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.data_export_upload (definition, attempt, number, bytes, is_whole) \
         VALUES ($1, $2, $3, $4, false)",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&definition, &attempt, &number, &bytes])
        .await?;
    Ok(())
}

/// Marks an attempt as complete.
pub async fn finish(
    executor: &dyn Executor,
    tenant: &Tenant,
    definition: FileDefinitionId,
    attempt: UploadAttemptId,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.data_export_upload SET is_whole = true WHERE definition = $1 AND attempt = $2",
        tenant.schema()
    );
    executor.rows(&sql, &[&definition, &attempt]).await?;
    Ok(())
}

/// Removes the portions of an interrupted attempt.
pub async fn remove(
    executor: &dyn Executor,
    tenant: &Tenant,
    definition: FileDefinitionId,
    attempt: UploadAttemptId,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.data_export_upload WHERE definition = $1 AND attempt = $2",
        tenant.schema()
    );
    executor.rows(&sql, &[&definition, &attempt]).await?;
    Ok(())
}

/// A portion of an uploaded file, counted from 1; `None` after the last.
pub async fn portion(
    executor: &dyn Executor,
    tenant: &Tenant,
    definition: FileDefinitionId,
    number: i32,
) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = format!(
        "SELECT bytes FROM {}.data_export_upload WHERE definition = $1 AND number = $2 AND is_whole",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&definition, &number]).await?;
    Ok(rows.first().map(|row| row.get("bytes")))
}
