//! This area's own statements: the permissions that a user's sets expand to.

use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

/// The names of an active user's permissions, those of all sets they hold included; nothing when
/// there is no such user. A set may hold itself through others; every permission is visited once.
///
/// # Errors
/// When the database does not answer.
pub async fn granted(
    executor: &impl Executor,
    tenant: &Tenant,
    user_id: Uuid,
) -> Result<Option<Vec<String>>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH RECURSIVE granted(name) AS (
           SELECT jsonb_array_elements_text(jsonb->'permissions')
           FROM {schema}.permissions_users WHERE (jsonb->>'userId') COLLATE \"C\" = $2
           UNION
           SELECT part.name FROM granted
           JOIN {schema}.permissions AS set
             ON (set.jsonb->>'permissionName') COLLATE \"C\" = granted.name
           CROSS JOIN LATERAL jsonb_array_elements_text(set.jsonb->'subPermissions') AS part(name)
         )
         SELECT array(SELECT name FROM granted) FROM {schema}.users
         WHERE id = $1 AND coalesce((jsonb->>'active')::boolean, true)"
    );
    let rows = executor
        .rows(&sql, &[&user_id, &user_id.to_string()])
        .await?;
    Ok(rows.first().map(|row| row.get(0)))
}

/// These permissions and those of all sets among them.
///
/// # Errors
/// When the database does not answer.
pub async fn expanded(
    executor: &impl Executor,
    tenant: &Tenant,
    names: &[String],
) -> Result<Vec<String>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH RECURSIVE granted(name) AS (
           SELECT unnest($1::text[])
           UNION
           SELECT part.name FROM granted
           JOIN {schema}.permissions AS set
             ON (set.jsonb->>'permissionName') COLLATE \"C\" = granted.name
           CROSS JOIN LATERAL jsonb_array_elements_text(set.jsonb->'subPermissions') AS part(name)
         )
         SELECT array(SELECT name FROM granted)"
    );
    let rows = executor.rows(&sql, &[&names]).await?;
    Ok(rows.first().map(|row| row.get(0)).unwrap_or_default())
}
