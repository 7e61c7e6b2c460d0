//! Modules' announcements: their digests, and definitions written in a few statements however many there
//! are.

use std::collections::HashMap;

use octavo_postgres::RawJson;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::{Map, Value};
use uuid::Uuid;

/// The digest of each module's last announcement, by the module's name.
pub async fn digests(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<HashMap<String, Vec<u8>>, StoreError> {
    let sql = format!(
        "SELECT module, digest FROM {}.permissions_announced",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("module"), row.get("digest")))
        .collect())
}

/// A module's announcement as stored.
#[derive(Debug)]
pub struct Announced {
    /// The module's name.
    pub module: String,
    pub module_id: String,
    /// Identifies the announcement.
    pub digest: Vec<u8>,
}

/// Stores the digests.
pub async fn remember(
    executor: &dyn Executor,
    tenant: &Tenant,
    announced: &[Announced],
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.permissions_announced (module, module_id, digest) \
         SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[]) \
         ON CONFLICT (module) DO UPDATE \
         SET module_id = excluded.module_id, digest = excluded.digest",
        tenant.schema()
    );
    let modules: Vec<&str> = announced.iter().map(|one| one.module.as_str()).collect();
    let ids: Vec<&str> = announced.iter().map(|one| one.module_id.as_str()).collect();
    let digests: Vec<&[u8]> = announced.iter().map(|one| one.digest.as_slice()).collect();
    executor.rows(&sql, &[&modules, &ids, &digests]).await?;
    Ok(())
}

pub async fn definitions(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<Vec<Map<String, Value>>, StoreError> {
    let sql = format!("SELECT jsonb FROM {}.permissions", tenant.schema());
    let rows = executor.rows(&sql, &[]).await?;
    let documents = rows.iter().map(|row| row.get::<_, Value>("jsonb"));
    Ok(documents
        .filter_map(|document| match document {
            Value::Object(document) => Some(document),
            _ => None,
        })
        .collect())
}

/// Stores definitions, new ones and changed ones.
pub async fn store_definitions(
    executor: &dyn Executor,
    tenant: &Tenant,
    documents: &[(Uuid, Vec<u8>)],
) -> Result<(), StoreError> {
    if documents.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "INSERT INTO {}.permissions (id, jsonb) SELECT * FROM unnest($1::uuid[], $2::jsonb[]) \
         ON CONFLICT (id) DO UPDATE SET jsonb = excluded.jsonb",
        tenant.schema()
    );
    let ids: Vec<Uuid> = documents.iter().map(|(id, _)| *id).collect();
    let bodies: Vec<RawJson<'_>> = documents.iter().map(|(_, body)| RawJson(body)).collect();
    executor.rows(&sql, &[&ids, &bodies]).await?;
    Ok(())
}

/// Replaces permissions in all permission users that hold them.
pub async fn give_replacements(
    executor: &dyn Executor,
    tenant: &Tenant,
    replaced: &[(String, String)],
    updated: &Value,
) -> Result<(), StoreError> {
    if replaced.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "UPDATE {}.permissions_users AS holder SET jsonb = jsonb || jsonb_build_object(\
           'permissions', jsonb->'permissions' || (\
             SELECT coalesce(jsonb_agg(DISTINCT replaced.new), '[]') \
             FROM unnest($1::text[], $2::text[]) AS replaced(old, new) \
             WHERE holder.jsonb->'permissions' ? replaced.old \
               AND NOT holder.jsonb->'permissions' ? replaced.new), \
           'metadata', coalesce(jsonb->'metadata', '{{}}') || $3::jsonb) \
         WHERE jsonb->'permissions' ?| $1::text[]",
        tenant.schema()
    );
    let olds: Vec<&str> = replaced.iter().map(|(old, _)| old.as_str()).collect();
    let news: Vec<&str> = replaced.iter().map(|(_, new)| new.as_str()).collect();
    executor.rows(&sql, &[&olds, &news, updated]).await?;
    Ok(())
}
