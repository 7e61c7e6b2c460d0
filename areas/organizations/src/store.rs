//! The statements of this area.

use octavo_boxed::boxed;
use octavo_records::expression::AMONG_IDS;
use octavo_records::expression::key;
use octavo_records::{Executor, StoreError, Tables};
use uuid::Uuid;

const ORGANIZATIONS: &str = "organizations";

/// Whether an organization has this type.
pub async fn has_type(
    executor: &dyn Executor,
    tables: Tables<'_>,
    organization_type: Uuid,
) -> Result<bool, StoreError> {
    let index = tables.index(ORGANIZATIONS, "organizationTypes");
    let sql = format!(
        "SELECT EXISTS (SELECT FROM {} WHERE {} LIKE '%' || $1::text || '%') AS used",
        tables.table(ORGANIZATIONS),
        key(index),
    );
    let id = organization_type.to_string();
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().is_some_and(|row| row.get("used")))
}

/// The types of these that exist, locked against their deletion.
#[boxed]
pub async fn hold_types(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE id {AMONG_IDS} ORDER BY id FOR KEY SHARE",
        tables.table("organization_types")
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// Locks a type for its deletion; whether it exists.
#[boxed]
pub async fn hold_type_for_deletion(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE id = $1 FOR UPDATE",
        tables.table("organization_types")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(!rows.is_empty())
}

/// The id of an interface's credentials; with a lock until the transaction ends.
#[boxed]
pub async fn credentials_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    interface: Uuid,
) -> Result<Option<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE interfaceid = $1 ORDER BY id LIMIT 1 FOR NO KEY UPDATE",
        tables.table("interface_credentials")
    );
    let rows = executor.rows(&sql, &[&interface]).await?;
    Ok(rows.first().map(|row| row.get("id")))
}

/// The documents of the organizations with these ids.
#[boxed]
pub async fn organizations(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<Vec<(Uuid, serde_json::Value)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE id {AMONG_IDS}",
        tables.table(ORGANIZATIONS)
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("jsonb")))
        .collect())
}
