//! The tenants of a consortium's users.

use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

use octavo_records::expression::equality;

use crate::collections;

/// A tenant's membership in a consortium.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The central tenant, when it is known.
    pub central: Option<String>,
}

/// The membership of a tenant; `None` when it is in no consortium.
pub async fn membership(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<Option<Membership>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'centralTenantId' AS central FROM {}.user_tenant LIMIT 1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().map(|row| Membership {
        central: row.get("central"),
    }))
}

/// Whether the users of a consortium have this name already; looked up in its central tenant.
pub async fn is_name_taken(
    executor: &dyn Executor,
    central: &Tenant,
    username: &str,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT 1 FROM {}.user_tenant WHERE {} LIMIT 1",
        central.schema(),
        equality(&collections::user_tenants(), "username", "$1::text")
    );
    Ok(!executor.rows(&sql, &[&username]).await?.is_empty())
}

/// Removes all that belong to a tenant.
pub async fn remove_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    member: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.user_tenant WHERE {}",
        tenant.schema(),
        equality(&collections::user_tenants(), "tenantId", "$1::text")
    );
    executor.rows(&sql, &[&member]).await?;
    Ok(())
}

/// Removes a member's only record; returns false when it has none or several.
pub async fn remove_only(transaction: &Transaction, tenant: &Tenant) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    // Two rows suffice to distinguish one record from several.
    let sql = format!("SELECT id FROM {schema}.user_tenant LIMIT 2 FOR UPDATE");
    let rows = transaction.query(&sql, &[]).await?;
    let [only] = rows.as_slice() else {
        return Ok(false);
    };
    let id: Uuid = only.get("id");
    let sql = format!("DELETE FROM {schema}.user_tenant WHERE id = $1");
    transaction.execute(&sql, &[&id]).await?;
    Ok(true)
}

/// Adds a record whose document has been checked and has its id; returns false when the id is taken.
pub async fn add(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
    document: &Value,
) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO {}.user_tenant (id, jsonb) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1",
        tenant.schema()
    );
    Ok(!executor.rows(&sql, &[&id, document]).await?.is_empty())
}
