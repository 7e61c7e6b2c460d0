//! Multipart uploads: running uploads, links, and received parts.

use octavo_library::{MultipartUploadId, StoredFileId};
use octavo_records::{Executor, StoreError, Tenant};

/// A received part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its number, from 1.
    pub number: i32,
    /// The key of its portions.
    pub file: StoredFileId,
    /// Its size in bytes.
    pub bytes: i64,
    /// The number of its portions.
    pub portions: i32,
    /// Its entity tag.
    pub tag: String,
}

/// Begins an upload, unless there are too many already; returns whether it did.
pub(crate) async fn begin(
    executor: &dyn Executor,
    tenant: &Tenant,
    upload: MultipartUploadId,
    key: &str,
    most: i64,
) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO {schema}.import_upload (id, key) SELECT $1, $2 \
         WHERE (SELECT count(*) FROM {schema}.import_upload) < $3 RETURNING id",
        schema = tenant.schema()
    );
    let rows = executor.rows(&sql, &[&upload, &key, &most]).await?;
    Ok(!rows.is_empty())
}

/// Creates a link for a part with a lifetime in seconds; returns false when there is no such upload.
/// Only the hash of the secret is stored. An older link becomes invalid.
pub(crate) async fn link(
    executor: &dyn Executor,
    tenant: &Tenant,
    (upload, key): (MultipartUploadId, &str),
    number: i32,
    secret: &str,
    seconds: i64,
) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO {schema}.import_upload_part (upload, number, secret, until) \
         SELECT id, $3, sha256(convert_to($4, 'UTF8')), now() + make_interval(secs => $5) \
         FROM {schema}.import_upload WHERE id = $1 AND key = $2 \
         ON CONFLICT (upload, number) DO UPDATE SET secret = EXCLUDED.secret, until = EXCLUDED.until \
         RETURNING number",
        schema = tenant.schema()
    );
    let seconds = seconds as f64;
    let rows = executor
        .rows(&sql, &[&upload, &key, &number, &secret, &seconds])
        .await?;
    Ok(!rows.is_empty())
}

/// Makes an attempt the current one, if its link is valid; returns whether it is.
pub(crate) async fn comes(
    executor: &dyn Executor,
    tenant: &Tenant,
    (upload, number): (MultipartUploadId, i32),
    secret: &str,
    file: StoredFileId,
) -> Result<bool, StoreError> {
    let sql = format!(
        "UPDATE {}.import_upload_part SET coming = $4 WHERE upload = $1 AND number = $2 \
         AND secret = sha256(convert_to($3, 'UTF8')) AND until > now() RETURNING number",
        tenant.schema()
    );
    let rows = executor
        .rows(&sql, &[&upload, &number, &secret, &file])
        .await?;
    Ok(!rows.is_empty())
}

/// The size of the other received parts, in bytes.
pub(crate) async fn bytes_of_others(
    executor: &dyn Executor,
    tenant: &Tenant,
    (upload, number): (MultipartUploadId, i32),
) -> Result<i64, StoreError> {
    let sql = format!(
        "SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM {}.import_upload_part \
         WHERE upload = $1 AND number <> $2",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&upload, &number]).await?;
    Ok(rows.first().map_or(0, |row| row.get("bytes")))
}

/// Completes an attempt as the part, if it is still the current one. Returns the replaced file; `None`
/// when another attempt is current, or the upload has ended.
pub(crate) async fn came(
    executor: &dyn Executor,
    tenant: &Tenant,
    upload: MultipartUploadId,
    part: &Part,
) -> Result<Option<Option<StoredFileId>>, StoreError> {
    // The old row is read first, since `RETURNING` alone yields its new values.
    let sql = format!(
        "WITH old AS MATERIALIZED (SELECT number, file FROM {schema}.import_upload_part \
         WHERE upload = $1 AND number = $2 AND coming = $3 FOR UPDATE) \
         UPDATE {schema}.import_upload_part AS part SET file = $3, coming = NULL, bytes = $4, \
         portions = $5, tag = $6 FROM old WHERE part.upload = $1 AND part.number = old.number \
         RETURNING old.file",
        schema = tenant.schema()
    );
    let Part {
        number,
        file,
        bytes,
        portions,
        tag,
    } = part;
    let rows = executor
        .rows(&sql, &[&upload, number, file, bytes, portions, tag])
        .await?;
    Ok(rows.first().map(|row| row.get("file")))
}

/// The received parts of an upload, in order, locked until the transaction ends; `None` when there is no
/// such upload.
pub(crate) async fn hold(
    executor: &dyn Executor,
    tenant: &Tenant,
    upload: MultipartUploadId,
    key: &str,
) -> Result<Option<Vec<Part>>, StoreError> {
    let schema = tenant.schema();
    let sql =
        format!("SELECT id FROM {schema}.import_upload WHERE id = $1 AND key = $2 FOR UPDATE");
    if executor.rows(&sql, &[&upload, &key]).await?.is_empty() {
        return Ok(None);
    }
    let sql = format!(
        "SELECT number, file, bytes, portions, tag FROM {schema}.import_upload_part \
         WHERE upload = $1 AND file IS NOT NULL ORDER BY number FOR UPDATE"
    );
    let rows = executor.rows(&sql, &[&upload]).await?;
    let parts = rows.iter().map(|row| Part {
        number: row.get("number"),
        file: row.get("file"),
        bytes: row.get("bytes"),
        portions: row.get("portions"),
        tag: row.get("tag"),
    });
    Ok(Some(parts.collect()))
}

/// Appends the portions of a part to a file.
pub(crate) async fn append(
    executor: &dyn Executor,
    tenant: &Tenant,
    part: StoredFileId,
    file: StoredFileId,
    portions_before: i32,
    bytes_before: i64,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.import_file_portion SET file = $2, number = number + $3, begins = begins + $4 \
         WHERE file = $1",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&part, &file, &portions_before, &bytes_before])
        .await?;
    Ok(())
}

/// Ends an upload with its links.
pub(crate) async fn end(
    executor: &dyn Executor,
    tenant: &Tenant,
    upload: MultipartUploadId,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.import_upload WHERE id = $1",
        tenant.schema()
    );
    executor.rows(&sql, &[&upload]).await?;
    Ok(())
}

/// Ends uploads older than the given number of hours. Their portions are then unreferenced.
pub(crate) async fn forget(
    executor: &dyn Executor,
    tenant: &Tenant,
    hours: i64,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.import_upload WHERE created < now() - make_interval(hours => $1)",
        tenant.schema()
    );
    let hours = i32::try_from(hours).unwrap_or(i32::MAX);
    executor.rows(&sql, &[&hours]).await?;
    Ok(())
}
