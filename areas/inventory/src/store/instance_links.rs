//! The records that link instances.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::{StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

/// The links of a table in which a property holds this instance's id. Table and property are constants
/// of inventory, never from a client.
#[boxed]
pub async fn read(
    transaction: &Transaction,
    tenant: &Tenant,
    table: &'static str,
    property: &'static str,
    instance: Uuid,
) -> Result<Vec<(Uuid, Value)>, StoreError> {
    let column = property.to_lowercase();
    let sql = format!(
        "SELECT id, jsonb FROM {}.{table} WHERE {column} = $1 ORDER BY id",
        tenant.schema()
    );
    let rows = transaction.query(&sql, &[&instance]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("jsonb")))
        .collect())
}

/// Deletes all title links of an instance. They have no events.
#[boxed]
pub async fn clear_titles_of(
    transaction: &Transaction,
    tenant: &Tenant,
    instance: Uuid,
) -> Result<(), StoreError> {
    let table = format!("{}.preceding_succeeding_title", tenant.schema());
    // Locked in a fixed order, so that concurrent deletions cannot deadlock.
    let sql = format!(
        "WITH found AS MATERIALIZED (SELECT id FROM {table} WHERE precedinginstanceid = $1 \
         OR succeedinginstanceid = $1 ORDER BY id FOR UPDATE) \
         DELETE FROM {table} WHERE id IN (SELECT id FROM found)"
    );
    transaction.execute(&sql, &[&instance]).await?;
    Ok(())
}

/// Serialises changes of a tenant's relationships: two concurrent links that form a cycle only together
/// would not see each other.
#[boxed]
pub async fn one_at_a_time(transaction: &Transaction, tenant: &Tenant) -> Result<(), StoreError> {
    let what = format!("{}.instance_relationship", tenant.schema());
    let sql = "SELECT 1 FROM pg_advisory_xact_lock(hashtextextended($1, 0))";
    transaction.query(sql, &[&what]).await?;
    Ok(())
}

/// The ancestors of `from`, at most `most`, without the relationship `without`.
#[boxed]
pub async fn above(
    transaction: &Transaction,
    tenant: &Tenant,
    from: Uuid,
    without: Option<Uuid>,
    most: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "WITH RECURSIVE above (id) AS (SELECT $1::uuid UNION \
         SELECT link.superinstanceid FROM above \
         JOIN {}.instance_relationship AS link ON link.subinstanceid = above.id \
         WHERE link.id IS DISTINCT FROM $2::uuid) SELECT id FROM above LIMIT $3",
        tenant.schema()
    );
    let rows = transaction.query(&sql, &[&from, &without, &most]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// The SQL that deletes all relationships of a tenant's instances, for when all instances go.
#[must_use]
pub fn all_relationships(tenant: &Tenant) -> String {
    format!("DELETE FROM {}.instance_relationship", tenant.schema())
}
