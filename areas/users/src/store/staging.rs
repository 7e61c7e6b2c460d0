//! Look-ups for merging a registration.

use octavo_postgres::Transaction;
use octavo_records::expression::equality;
use octavo_records::{Collection, Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

use crate::collections;

/// A registration by its own identifier, locked until the transaction ends.
pub async fn by_identifier(
    transaction: &Transaction,
    tenant: &Tenant,
    identifier: &str,
) -> Result<Option<(Uuid, Value)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {}.staging_users WHERE {} AND jsonb->>'externalSystemId' = $1 \
         FOR NO KEY UPDATE",
        tenant.schema(),
        equality(
            &collections::staging_users(),
            "externalSystemId",
            "$1::text"
        )
    );
    let row = transaction.query_opt(&sql, &[&identifier]).await?;
    Ok(row.map(|row| (row.get("id"), row.get("jsonb"))))
}

/// A record by its unique name, compared exactly.
pub async fn by_name(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    property: &str,
    name: &str,
) -> Result<Option<(Uuid, Value)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {}.{} WHERE {}",
        tenant.schema(),
        collection.table,
        equality(collection, property, "$1::text")
    );
    let rows = executor.rows(&sql, &[&name]).await?;
    let found = rows
        .first()
        .map(|row| (row.get("id"), row.get::<_, Value>("jsonb")));
    Ok(found.filter(|(_, record)| record[property] == name))
}
