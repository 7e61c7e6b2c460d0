//! Settings by key.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::{RawJson, Transaction};
use octavo_records::{Executor, StoreError, Tables};
use serde_json::Value;
use uuid::Uuid;

const TABLE: &str = "inventory_setting";

#[boxed]
pub async fn read(
    executor: &dyn Executor,
    tables: Tables<'_>,
    key: &str,
) -> Result<Option<Bytes>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {}",
        tables.table(TABLE),
        tables.equals(TABLE, "key", "$1::text")
    );
    let rows = executor.rows(&sql, &[&key]).await?;
    Ok(rows
        .first()
        .map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0)))
}

/// A setting with its id, locked against changes by others.
#[boxed]
pub async fn lock(
    transaction: &Transaction,
    tables: Tables<'_>,
    key: &str,
) -> Result<Option<(Uuid, Value)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE {} FOR NO KEY UPDATE",
        tables.table(TABLE),
        tables.equals(TABLE, "key", "$1::text")
    );
    let rows = transaction.query(&sql, &[&key]).await?;
    Ok(rows.first().map(|row| (row.get("id"), row.get("jsonb"))))
}
