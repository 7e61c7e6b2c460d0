//! Many records of one collection at once: each function is one statement, however many records
//! there are. Callers bring a transaction, and a bound on how many they hand in.

use std::collections::HashMap;

use octavo_postgres::{RawJson, ToSql};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Stamp;
use super::write::{event, to_bytes};
use crate::collection::Collection;
use crate::error::{StoreError, refused};
use crate::executor::Executor;
use crate::tenant::Tenant;

/// How records are held until the transaction ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// Against changes; others may hold them so too.
    Shared,
    /// Against changes and other holders.
    Exclusive,
}

/// The records of these ids, those that exist, held in the order of their ids so that two who ask
/// for the same ones do not wait for each other.
///
/// # Errors
/// When the database does not answer.
pub async fn fetch_many(
    executor: &impl Executor,
    tenant: &Tenant,
    collection: &Collection,
    ids: &[Uuid],
    hold: Hold,
) -> Result<HashMap<Uuid, Value>, StoreError> {
    let locking = match hold {
        Hold::Shared => "FOR SHARE",
        Hold::Exclusive => "FOR NO KEY UPDATE",
    };
    let sql = format!(
        "SELECT id, jsonb FROM {}.{} WHERE id = ANY($1) ORDER BY id {locking}",
        tenant.schema(),
        collection.table
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// Stores new records whose documents have been checked, in their order; gives how many.
///
/// # Errors
/// When a key is taken or a reference is broken: then none is stored.
pub async fn insert_many(
    executor: &impl Executor,
    tenant: &Tenant,
    collection: &Collection,
    mut documents: Vec<Map<String, Value>>,
    stamp: &Stamp,
) -> Result<usize, StoreError> {
    if documents.is_empty() {
        return Ok(0);
    }
    let ids: Vec<Uuid> = documents
        .iter_mut()
        .map(|document| stamp.complete(collection, document))
        .collect();
    let bodies = documents
        .iter()
        .map(to_bytes)
        .collect::<Result<Vec<_>, _>>()?;
    let bodies: Vec<RawJson<'_>> = bodies.iter().map(|body| RawJson(body)).collect();
    let schema = tenant.schema();
    let stored = match &collection.hrid {
        Some(function) => format!(
            "CASE WHEN jsonb ? 'hrid' THEN jsonb \
             ELSE jsonb || jsonb_build_object('hrid', {schema}.{function}()) END"
        ),
        None => "jsonb".to_owned(),
    };
    let event = event(schema, collection, "CREATE", "NULL", "jsonb", "stored");
    let sql = format!(
        "WITH stored AS (INSERT INTO {schema}.{} (id, jsonb) SELECT id, {stored} \
         FROM (SELECT * FROM unnest($1::uuid[], $2::jsonb[]) WITH ORDINALITY AS _(id, jsonb, at) \
         ORDER BY at) AS sent RETURNING id, jsonb){event} SELECT count(*) FROM stored",
        collection.table
    );
    let rows = executor
        .rows(&sql, &[&ids, &bodies])
        .await
        .map_err(|error| refused(error, collection))?;
    Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0)) as usize)
}

/// Replaces records whose documents have been checked and carry their ids; each id once. As
/// [`super::replace`] for each of them.
///
/// # Errors
/// When one of them does not exist or has changed, a key is taken or a reference is broken; the
/// caller's transaction must then be given up.
pub async fn replace_many(
    executor: &impl Executor,
    tenant: &Tenant,
    collection: &Collection,
    documents: &[(Uuid, Map<String, Value>)],
    stamp: &Stamp,
) -> Result<(), StoreError> {
    if documents.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = documents.iter().map(|(id, _)| *id).collect();
    let bodies = documents
        .iter()
        .map(|(_, one)| to_bytes(one))
        .collect::<Result<Vec<_>, _>>()?;
    let bodies: Vec<RawJson<'_>> = bodies.iter().map(|body| RawJson(body)).collect();
    let updated = stamp.updated();
    let mut values: Vec<&(dyn ToSql + Sync)> = vec![&ids, &bodies];
    let (schema, table) = (tenant.schema(), &collection.table);
    let mut stored = "sent.jsonb".to_owned();
    if collection.has_metadata() {
        values.push(&updated);
        stored.push_str(
            " || jsonb_build_object('metadata', coalesce(old.jsonb->'metadata', '{}') || $3::jsonb)",
        );
    }
    let mut guard = "";
    if collection.locked {
        stored
            .push_str(" || jsonb_build_object('_version', (sent.jsonb->>'_version')::bigint + 1)");
        guard = " AND old.jsonb->'_version' = sent.jsonb->'_version'";
    }
    let from = "stored JOIN old USING (id)";
    let event = event(
        schema,
        collection,
        "UPDATE",
        "old.jsonb",
        "stored.jsonb",
        from,
    );
    let sql = format!(
        "WITH sent AS MATERIALIZED (SELECT * FROM unnest($1::uuid[], $2::jsonb[]) AS _(id, jsonb)), \
         old AS MATERIALIZED (SELECT id, jsonb FROM {schema}.{table} WHERE id = ANY($1) \
         ORDER BY id FOR NO KEY UPDATE), \
         stored AS (UPDATE {schema}.{table} AS target SET jsonb = {stored} \
         FROM old JOIN sent USING (id) WHERE target.id = old.id{guard} \
         RETURNING target.id, target.jsonb){event} \
         SELECT sent.id, old.id IS NOT NULL, old.jsonb->>'_version', sent.jsonb->>'_version' \
         FROM sent LEFT JOIN old USING (id) LEFT JOIN stored USING (id) \
         WHERE stored.id IS NULL LIMIT 1"
    );
    let rows = executor
        .rows(&sql, &values)
        .await
        .map_err(|error| refused(error, collection))?;
    let Some(row) = rows.first() else {
        return Ok(());
    };
    if !row.get::<_, bool>(1) {
        return Err(StoreError::NotFound);
    }
    let version = |at| {
        row.get::<_, Option<String>>(at)
            .unwrap_or_else(|| "null".to_owned())
    };
    Err(StoreError::VersionConflict {
        id: row.get::<_, Uuid>(0).to_string(),
        stored: version(2),
        sent: version(3),
    })
}
