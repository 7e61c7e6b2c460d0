//! The statements on rules for passwords.

use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;

/// Maximal number of rules: every change of a password checks them all.
pub const RULES_MAX: i64 = 500;

/// The rules that are on, in their order.
pub async fn enabled(executor: &impl Executor, tenant: &Tenant) -> Result<Vec<Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {}.validationrules WHERE jsonb->>'state' = 'Enabled' \
         ORDER BY (jsonb->>'orderNo')::numeric, id LIMIT $1",
        tenant.schema()
    );
    // Concurrent requests may exceed the limit slightly.
    let rows = executor.rows(&sql, &[&(2 * RULES_MAX)]).await?;
    Ok(rows.iter().map(|row| row.get("jsonb")).collect())
}

/// Whether the tenant can have another rule.
pub async fn is_room(executor: &impl Executor, tenant: &Tenant) -> Result<bool, StoreError> {
    let sql = format!("SELECT count(*) FROM {}.validationrules", tenant.schema());
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows
        .first()
        .is_none_or(|row| row.get::<_, i64>("count") < RULES_MAX))
}
