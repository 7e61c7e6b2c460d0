//! Changes of definitions, one at a time in each tenant, and their effects on sets and users.

use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;

use super::{NAME, parts_of_granted};
use crate::rules::assigning::ASSIGN_OKAPI;

/// Takes the tenant's advisory lock for changes of definitions until the transaction ends. Without it
/// two changes could close a cycle together, or miss a set in `childOf`. Readers and assignments to
/// users do not wait.
pub async fn lock(executor: &dyn Executor, tenant: &Tenant) -> Result<(), StoreError> {
    let sql = "SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))";
    let name = format!("{}.permissions", tenant.schema());
    executor.rows(sql, &[&name]).await?;
    Ok(())
}

/// Whether one of these sets contains a permission, directly or through others, or is that permission.
pub async fn lead_to(
    executor: &dyn Executor,
    tenant: &Tenant,
    names: &[String],
    permission: &str,
) -> Result<bool, StoreError> {
    let parts = parts_of_granted(tenant.schema());
    let sql = format!(
        "WITH RECURSIVE granted(name) AS (SELECT unnest($1::text[]) UNION {parts}) \
         SELECT EXISTS (SELECT FROM granted WHERE name = $2::text) AS found"
    );
    let rows = executor.rows(&sql, &[&names, &permission]).await?;
    Ok(rows.first().is_some_and(|row| row.get("found")))
}

/// The permissions with these prefixes that these sets contain, directly or through others, and the one
/// that allows assigning them.
pub async fn gateways_within(
    executor: &dyn Executor,
    tenant: &Tenant,
    names: &[String],
    beginnings: &[&str],
) -> Result<Vec<String>, StoreError> {
    let parts = parts_of_granted(tenant.schema());
    let sql = format!(
        "WITH RECURSIVE granted(name) AS (SELECT unnest($1::text[]) UNION {parts}) \
         SELECT name FROM granted WHERE name = $3::text \
           OR EXISTS (SELECT FROM unnest($2::text[]) AS one(beginning) \
                      WHERE starts_with(granted.name, one.beginning)) \
         ORDER BY name COLLATE \"C\""
    );
    let beginnings: Vec<String> = beginnings.iter().map(|one| (*one).to_owned()).collect();
    let values: [&(dyn octavo_postgres::ToSql + Sync); 3] = [&names, &beginnings, &ASSIGN_OKAPI];
    let rows = executor.rows(&sql, &values).await?;
    Ok(rows.iter().map(|row| row.get("name")).collect())
}

/// Writes `childOf` of these definitions.
pub async fn write_parents(
    executor: &dyn Executor,
    tenant: &Tenant,
    names: &[String],
) -> Result<(), StoreError> {
    if names.is_empty() {
        return Ok(());
    }
    let schema = tenant.schema();
    let sql = format!(
        "UPDATE {schema}.permissions AS part \
         SET jsonb = part.jsonb || jsonb_build_object('childOf', sets.names) \
         FROM (SELECT child.id, (\
             SELECT coalesce(jsonb_agg(parent.name ORDER BY parent.name COLLATE \"C\"), '[]') \
             FROM (SELECT jsonb->>'permissionName' AS name FROM {schema}.permissions \
               WHERE jsonb->'subPermissions' ? (child.jsonb->>'permissionName')) AS parent) \
             AS names \
           FROM {schema}.permissions AS child \
           WHERE (child.jsonb->>'permissionName') COLLATE \"C\" = ANY($1::text[])) AS sets \
         WHERE part.id = sets.id AND part.jsonb->'childOf' IS DISTINCT FROM sets.names"
    );
    executor.rows(&sql, &[&names]).await?;
    Ok(())
}

/// The names of all deprecated definitions.
pub async fn deprecated(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<Vec<String>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'permissionName' AS permission_name FROM {}.permissions \
         WHERE jsonb->'deprecated' = 'true' AND jsonb ? 'permissionName' ORDER BY 1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.iter().map(|row| row.get("permission_name")).collect())
}

/// Deletes definitions, and removes them from all sets and users. Definitions are deleted before users
/// are changed: an assignment holds a lock on the definition until it commits.
pub async fn delete(
    executor: &dyn Executor,
    tenant: &Tenant,
    names: &[String],
    updated: &Value,
) -> Result<(), StoreError> {
    let schema = tenant.schema();
    let gone = format!(
        "DELETE FROM {schema}.permissions WHERE {NAME} = ANY($1::text[]) \
         RETURNING jsonb->'subPermissions' AS sub_permissions"
    );
    let rows = executor.rows(&gone, &[&names]).await?;
    let parts: Vec<String> = rows
        .iter()
        .filter_map(|row| row.get::<_, Option<Value>>("sub_permissions"))
        .flat_map(|parts| parts.as_array().cloned().unwrap_or_default())
        .filter_map(|part| part.as_str().map(str::to_owned))
        .collect();
    let from_sets = format!(
        "UPDATE {schema}.permissions SET jsonb = jsonb || jsonb_build_object(\
           'subPermissions', (jsonb->'subPermissions') - $1::text[], \
           'metadata', coalesce(jsonb->'metadata', '{{}}') || $2::jsonb) \
         WHERE jsonb->'subPermissions' ?| $1::text[]"
    );
    executor.rows(&from_sets, &[&names, updated]).await?;
    let from_users = format!(
        "UPDATE {schema}.permissions_users SET jsonb = jsonb || jsonb_build_object(\
           'permissions', (jsonb->'permissions') - $1::text[], \
           'metadata', coalesce(jsonb->'metadata', '{{}}') || $2::jsonb) \
         WHERE jsonb->'permissions' ?| $1::text[]"
    );
    executor.rows(&from_users, &[&names, updated]).await?;
    write_parents(executor, tenant, &parts).await
}
