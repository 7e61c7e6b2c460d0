//! This area's own statements: the library's reference data, and existing users.

use std::collections::{HashMap, HashSet};

use octavo_postgres::Row;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::rules::known::{ReferenceNames, options};

/// The library's reference data by name.
pub async fn known(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<ReferenceNames, StoreError> {
    let custom_fields = custom_fields(executor, tables).await?;
    let fields = custom_fields.iter().filter_map(|(_, definition)| {
        let reference = definition["refId"].as_str()?;
        Some((reference.to_owned(), options(definition)))
    });
    Ok(ReferenceNames {
        address_types: named(executor, tables, "addresstype", "addressType").await?,
        groups: named(executor, tables, "groups", "group").await?,
        departments: named(executor, tables, "departments", "name").await?,
        service_points: service_points(executor, tables).await?,
        custom_fields: fields.collect(),
    })
}

async fn named(
    executor: &dyn Executor,
    tables: Tables<'_>,
    table: &str,
    name: &str,
) -> Result<HashMap<String, String>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'{name}' AS name, id::text FROM {} WHERE jsonb->>'{name}' IS NOT NULL",
        tables.table(table)
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("name"), row.get("id")))
        .collect())
}

async fn service_points(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<HashSet<String>, StoreError> {
    // A composition may lack the area of inventory.
    if tables.catalog.get("service_point").is_none() {
        return Ok(HashSet::new());
    }
    let sql = format!("SELECT id::text FROM {}", tables.table("service_point"));
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

pub async fn departments(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<Vec<(Uuid, Value)>, StoreError> {
    documents(executor, tables, "departments").await
}

/// The definitions of custom fields.
pub async fn custom_fields(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<Vec<(Uuid, Value)>, StoreError> {
    documents(executor, tables, "custom_fields").await
}

async fn documents(
    executor: &dyn Executor,
    tables: Tables<'_>,
    table: &str,
) -> Result<Vec<(Uuid, Value)>, StoreError> {
    let sql = format!("SELECT id, jsonb FROM {} ORDER BY id", tables.table(table));
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("jsonb")))
        .collect())
}

/// User ids by external ids.
pub async fn users_by_external_id(
    executor: &dyn Executor,
    tables: Tables<'_>,
    external_ids: &[&str],
) -> Result<HashMap<String, Uuid>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'externalSystemId' AS external_system_id, \
         id FROM unnest($1::text[]) AS came(value) \
         JOIN {} ON {}",
        tables.table("users"),
        tables.equals("users", "externalSystemId", "came.value")
    );
    let rows = executor.rows(&sql, &[&external_ids]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("external_system_id"), row.get("id")))
        .collect())
}

/// The ids of request preferences, by user.
pub async fn preferences(
    executor: &dyn Executor,
    tables: Tables<'_>,
    users: &[Uuid],
) -> Result<HashMap<Uuid, Uuid>, StoreError> {
    let users: Vec<String> = users.iter().map(Uuid::to_string).collect();
    let sql = format!(
        "SELECT (jsonb->>'userId')::uuid AS user_id, \
         id FROM unnest($1::text[]) AS came(value) JOIN {} ON {}",
        tables.table("user_request_preference"),
        tables.equals("user_request_preference", "userId", "came.value")
    );
    let rows = executor.rows(&sql, &[&users]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("user_id"), row.get("id")))
        .collect())
}

/// Those of these users who have a permission user.
pub async fn permission_users(
    executor: &dyn Executor,
    tables: Tables<'_>,
    users: &[Uuid],
) -> Result<HashSet<Uuid>, StoreError> {
    let users: Vec<String> = users.iter().map(Uuid::to_string).collect();
    let sql = format!(
        "SELECT (jsonb->>'userId')::uuid AS user_id FROM unnest($1::text[]) AS came(value) JOIN {} \
         ON {}",
        tables.table("permissions_users"),
        tables.equals("permissions_users", "userId", "came.value")
    );
    let rows = executor.rows(&sql, &[&users]).await?;
    Ok(rows.iter().map(|row| row.get("user_id")).collect())
}

/// Users of a source (or of any external system) who are not in the import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Whether there are any, active or not.
    pub any: bool,
    /// The ids of the active ones.
    pub active: Vec<Uuid>,
}

/// The users of a source who are missing from the import.
pub async fn missing(
    executor: &dyn Executor,
    tables: Tables<'_>,
    prefix: &str,
    came: &[&str],
) -> Result<Missing, StoreError> {
    let external = "jsonb->>'externalSystemId'";
    let sql = format!(
        "SELECT id, coalesce((jsonb->>'active')::boolean, false) AS active FROM {} AS stored \
         WHERE {external} <> '' \
         AND starts_with(lower(public.f_unaccent({external})), lower(public.f_unaccent($1::text))) \
         AND NOT EXISTS (SELECT 1 FROM unnest($2::text[]) AS came(id) WHERE came.id = {external}) \
         ORDER BY id",
        tables.table("users")
    );
    let rows = executor.rows(&sql, &[&prefix, &came]).await?;
    Ok(of_rows(&rows))
}

fn of_rows(rows: &[Row]) -> Missing {
    let active = rows.iter().filter(|row| row.get("active"));
    Missing {
        any: !rows.is_empty(),
        active: active.map(|row| row.get("id")).collect(),
    }
}

/// The properties of a document.
#[must_use]
pub fn object(document: Value) -> Map<String, Value> {
    match document {
        Value::Object(document) => document,
        _ => Map::new(),
    }
}
