//! The hashes of patrons' pins.

use octavo_library::UserId;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::json;

/// Stores or replaces a user's hash.
pub async fn set(
    executor: &dyn Executor,
    tenant: &Tenant,
    user: UserId,
    hash: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.patronpin (id, jsonb) VALUES ($1, $2) \
         ON CONFLICT (id) DO UPDATE SET jsonb = excluded.jsonb",
        tenant.schema()
    );
    let document = json!({"id": user, "pin": hash});
    executor.rows(&sql, &[&user, &document]).await?;
    Ok(())
}

/// Replaces a hash, if it is still the expected one: a concurrent change of the pin wins.
pub async fn exchange(
    executor: &dyn Executor,
    tenant: &Tenant,
    user: UserId,
    old: &str,
    new: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.patronpin SET jsonb = $3 WHERE id = $1 AND jsonb->>'pin' = $2",
        tenant.schema()
    );
    let document = json!({"id": user, "pin": new});
    executor.rows(&sql, &[&user, &old, &document]).await?;
    Ok(())
}

/// The hash of a user's pin.
pub async fn hash_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    user: UserId,
) -> Result<Option<String>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'pin' AS pin FROM {}.patronpin WHERE id = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&user]).await?;
    Ok(rows.first().and_then(|row| row.get("pin")))
}

/// Removes a user's pin, if there is one.
pub async fn remove(
    executor: &dyn Executor,
    tenant: &Tenant,
    user: UserId,
) -> Result<(), StoreError> {
    let sql = format!("DELETE FROM {}.patronpin WHERE id = $1", tenant.schema());
    executor.rows(&sql, &[&user]).await?;
    Ok(())
}
