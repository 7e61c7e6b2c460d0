//! Reads one record: the stored bytes, passed on without being parsed.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::RawJson;
use serde_json::Value;
use uuid::Uuid;

use super::Store;
use crate::collection::Collection;
use crate::error::StoreError;
use crate::executor::Executor;
use crate::tenant::Tenant;

impl Store {
    /// The stored JSON of a record.
    #[boxed]
    pub async fn read(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        id: Uuid,
    ) -> Result<Option<Bytes>, StoreError> {
        let sql = format!(
            "SELECT jsonb FROM {}.{} WHERE id = $1",
            tenant.schema(),
            collection.table
        );
        let rows = self.database.query(&sql, &[&id]).await?;
        Ok(rows
            .first()
            .map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0)))
    }
}

/// A record as a parsed value, for operations that decide on it.
#[boxed]
pub async fn fetch(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    get(executor, tenant, collection, id, "").await
}

/// The same, locked against changes until the transaction ends.
#[boxed]
pub async fn fetch_locked(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    get(executor, tenant, collection, id, " FOR NO KEY UPDATE").await
}

/// The same, locked against changes; others may take the same lock.
#[boxed]
pub async fn fetch_shared(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    get(executor, tenant, collection, id, " FOR SHARE").await
}

async fn get(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    id: Uuid,
    locking: &str,
) -> Result<Option<Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {}.{} WHERE id = $1{locking}",
        tenant.schema(),
        collection.table
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}
