//! Users' pictures, encrypted, and the setting about them.

use octavo_records::expression::equality;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

use crate::collections;

/// The key of the setting about pictures.
pub const SETTING: &str = "PROFILE_PICTURE_CONFIG";

/// The setting about pictures, if the library has not deleted it.
pub async fn setting(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<Option<Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {}.user_settings WHERE {}",
        tenant.schema(),
        equality(&collections::settings(), "key", "$1::text")
    );
    let rows = executor.rows(&sql, &[&SETTING]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}

pub async fn add(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
    sealed: &[u8],
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.profile_picture (id, sealed) VALUES ($1, $2)",
        tenant.schema()
    );
    executor.rows(&sql, &[&id, &sealed]).await?;
    Ok(())
}

/// Replaces a picture; returns whether there was one.
pub async fn replace(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
    sealed: &[u8],
) -> Result<bool, StoreError> {
    let sql = format!(
        "UPDATE {}.profile_picture SET sealed = $2, stored_at = now() WHERE id = $1 RETURNING 1",
        tenant.schema()
    );
    Ok(!executor.rows(&sql, &[&id, &sealed]).await?.is_empty())
}

pub async fn one(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = format!(
        "SELECT sealed FROM {}.profile_picture WHERE id = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("sealed")))
}

/// Removes a picture; returns whether there was one.
pub async fn remove(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "DELETE FROM {}.profile_picture WHERE id = $1 RETURNING 1",
        tenant.schema()
    );
    Ok(!executor.rows(&sql, &[&id]).await?.is_empty())
}

/// Examines the next `most` pictures after an id, and removes those that no user has and that are older
/// than the given number of seconds. Returns the last id examined and how many were removed; `None` at
/// the end.
pub async fn remove_unused(
    executor: &dyn Executor,
    tenant: &Tenant,
    behind: Uuid,
    most: i64,
    older_than_seconds: f64,
) -> Result<Option<(Uuid, i64)>, StoreError> {
    let schema = tenant.schema();
    let link = "left(users.jsonb->'personal'->>'profilePictureLink', 600) COLLATE \"C\"";
    let sql = format!(
        "WITH portion AS MATERIALIZED (SELECT id, stored_at FROM {schema}.profile_picture \
         WHERE id > $1 ORDER BY id LIMIT $2), \
         gone AS (DELETE FROM {schema}.profile_picture AS picture USING portion \
         WHERE picture.id = portion.id \
         AND portion.stored_at < now() - make_interval(secs => $3::double precision) \
         AND NOT EXISTS (SELECT 1 FROM {schema}.users \
         WHERE users.jsonb->'personal'->>'profilePictureLink' IS NOT NULL \
         AND {link} = portion.id::text) RETURNING 1) \
         SELECT (SELECT id FROM portion ORDER BY id DESC LIMIT 1) AS reached, \
         (SELECT count(*) FROM gone) AS gone"
    );
    let rows = executor
        .rows(&sql, &[&behind, &most, &older_than_seconds])
        .await?;
    Ok(rows.first().and_then(|row| {
        let reached: Option<Uuid> = row.get("reached");
        Some((reached?, row.get("gone")))
    }))
}
