//! One record as a view shows it.

use bytes::Bytes;
use octavo_postgres::{Database, RawJson};
use octavo_records::StoreError;
use octavo_records::plan::Sql;

/// The JSON that a statement composes, if it finds its record.
///
/// # Errors
/// When the database does not answer.
pub async fn read(database: &Database, sql: &Sql) -> Result<Option<Bytes>, StoreError> {
    let rows = database.query(&sql.text, &sql.bound()).await?;
    Ok(rows
        .first()
        .map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>(0).0)))
}
