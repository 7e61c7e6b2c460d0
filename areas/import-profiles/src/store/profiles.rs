//! Statements on profiles and protected fields that the record store lacks.

use octavo_library::{ProfileId, UserId};
use octavo_records::{Executor, StoreError, Tables, Tenant};
use serde_json::Value;

use crate::kind::ProfileKind;

/// Takes the tenant's lock on profiles until the transaction ends: changes run one at a time, so that
/// checks of trees stay valid. Readers do not wait.
pub async fn hold(executor: &dyn Executor, tenant: &Tenant) -> Result<(), StoreError> {
    let sql = format!(
        "LOCK TABLE {}.profile_associations IN SHARE ROW EXCLUSIVE MODE",
        tenant.schema()
    );
    executor.rows(&sql, &[]).await?;
    Ok(())
}

/// Whether another profile of this kind has the name.
pub async fn is_taken(
    executor: &dyn Executor,
    tables: Tables<'_>,
    kind: ProfileKind,
    name: &str,
    id: Option<ProfileId>,
) -> Result<bool, StoreError> {
    let same = tables.equals(kind.table(), "exactName", "trim(both ' ' from $1::text)");
    let sql = format!(
        "SELECT 1 FROM {} WHERE {same} AND ($2::uuid IS NULL OR id <> $2) LIMIT 1",
        tables.table(kind.table())
    );
    Ok(!executor.rows(&sql, &[&name, &id]).await?.is_empty())
}

/// The profiles of these ids, those that exist.
pub async fn of_ids(
    executor: &dyn Executor,
    tenant: &Tenant,
    kind: ProfileKind,
    ids: &[ProfileId],
) -> Result<Vec<(ProfileId, Value)>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT id, jsonb FROM {}.{} WHERE id = ANY($1)",
        tenant.schema(),
        kind.table()
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("jsonb")))
        .collect())
}

/// A user as FOLIO's profiles show them.
pub async fn user_info(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<Option<Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb_strip_nulls(jsonb_build_object('firstName', jsonb->'personal'->'firstName', \
         'lastName', jsonb->'personal'->'lastName', 'userName', jsonb->'username')) AS user_info \
         FROM {}.users WHERE id = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&user_id]).await?;
    Ok(rows.first().map(|row| row.get("user_info")))
}

/// Maximal number of protected fields; no library has a hundred.
const PROTECTIONS_MAX: i64 = 10_000;

/// The settings of protected fields, FOLIO's defaults first.
pub async fn protections(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<Vec<Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {}.marc_field_protection_settings \
         ORDER BY (jsonb->>'source' = 'SYSTEM') DESC NULLS LAST, jsonb->>'field', id \
         LIMIT {PROTECTIONS_MAX}",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.iter().map(|row| row.get("jsonb")).collect())
}
