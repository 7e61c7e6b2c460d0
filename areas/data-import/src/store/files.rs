//! Uploaded files, in portions.

use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

/// Adds a portion behind the others.
pub(crate) async fn add(
    executor: &impl Executor,
    tenant: &Tenant,
    file: Uuid,
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

/// The portion in which a place is, with where it begins; nothing behind the end.
pub(crate) async fn portion(
    executor: &impl Executor,
    tenant: &Tenant,
    file: Uuid,
    place: i64,
) -> Result<Option<(i64, Vec<u8>)>, StoreError> {
    let sql = format!(
        "SELECT begins, bytes FROM {}.import_file_portion WHERE file = $1 AND begins <= $2 \
         ORDER BY begins DESC LIMIT 1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&file, &place]).await?;
    Ok(rows.first().and_then(|row| {
        let (begins, bytes): (i64, Vec<u8>) = (row.get(0), row.get(1));
        (begins + bytes.len() as i64 > place).then_some((begins, bytes))
    }))
}

/// Removes files.
pub(crate) async fn remove(
    executor: &impl Executor,
    tenant: &Tenant,
    files: &[Uuid],
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.import_file_portion WHERE file = ANY($1)",
        tenant.schema()
    );
    executor.rows(&sql, &[&files]).await?;
    Ok(())
}
