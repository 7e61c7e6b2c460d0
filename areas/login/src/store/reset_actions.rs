//! The statements on password reset actions.

use octavo_library::UserId;
use octavo_records::expression::key;
use octavo_records::{Executor, Stamp, StoreError, Tenant};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::password_collections::by_user;

/// Maximal number of a user's reset actions; a new one replaces the oldest. Reset links can be requested
/// without a log-in, so a stranger may request many.
const ACTIONS_MAX: i64 = 10;

/// Stores a reset action and removes the user's expired and surplus ones; returns whether its id was
/// free.
pub async fn insert(
    executor: &dyn Executor,
    tenant: &Tenant,
    document: &Value,
    ids: (Uuid, UserId),
    stamp: &Stamp,
) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    let (id, user_id) = ids;
    let sql = format!(
        "WITH added AS (
           INSERT INTO {schema}.auth_password_action (id, jsonb)
           VALUES ($1::uuid, $2::jsonb) ON CONFLICT DO NOTHING RETURNING id
         ), trimmed AS (
           DELETE FROM {schema}.auth_password_action WHERE id IN (
             SELECT id FROM (
               SELECT id, (jsonb->>'expirationTime')::timestamptz <= now()
                   OR row_number() OVER (ORDER BY jsonb->'metadata'->>'createdDate' DESC, id) >= $4
                 AS gone
               FROM {schema}.auth_password_action WHERE {by_user} = $3::text) AS others
             WHERE gone)
         )
         SELECT id FROM added",
        by_user = key(&by_user()),
    );
    let mut document = document.clone();
    document["metadata"] = json!(stamp.created());
    let rows = executor
        .rows(&sql, &[&id, &document, &user_id.to_string(), &ACTIONS_MAX])
        .await?;
    Ok(!rows.is_empty())
}

/// A reset action.
pub async fn find(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb - 'metadata' AS jsonb FROM {}.auth_password_action WHERE id = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}

/// Removes a reset action for use: of two concurrent uses one succeeds. Returns the user.
pub async fn take(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
) -> Result<Option<String>, StoreError> {
    let sql = format!(
        "DELETE FROM {}.auth_password_action WHERE id = $1 RETURNING jsonb->>'userId' AS user_id",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().and_then(|row| row.get("user_id")))
}

/// Removes all reset actions of a user.
pub async fn remove_all(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.auth_password_action WHERE {} = $1::text",
        tenant.schema(),
        key(&by_user()),
    );
    executor.rows(&sql, &[&user_id.to_string()]).await?;
    Ok(())
}

/// Removes the reset actions that expired more than a day ago. Until then a client gets the error
/// "expired" rather than "not found".
pub async fn remove_ended(executor: &dyn Executor, tenant: &Tenant) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.auth_password_action
         WHERE (jsonb->>'expirationTime')::timestamptz < now() - interval '1 day'",
        tenant.schema()
    );
    executor.rows(&sql, &[]).await?;
    Ok(())
}
