//! Many records of one collection at once: each function is one statement, however many records
//! there are. Callers pass a transaction, and limit the number of records.

use crate::expression::AMONG_IDS;
use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_postgres::{DatabaseError, RawJson, ToSql};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::trace::{Change, traces};
use super::write::{ANY_VERSION, NO_VERSION, to_bytes};
use super::{Stamp, hrid};
use crate::collection::Collection;
use crate::error::{StoreError, refused, refused_of};
use crate::executor::Executor;
use crate::index::IndexKind;
use crate::tenant::Tenant;

/// How records are locked until the transaction ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// Against changes; others may take the same lock.
    Shared,
    /// Against changes and any other lock.
    Exclusive,
}

/// The existing records with these ids, locked in the order of their ids so that two callers with
/// the same ids do not deadlock.
#[boxed]
pub async fn fetch_many(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    ids: &[Uuid],
    hold: Hold,
) -> Result<HashMap<Uuid, Value>, StoreError> {
    // NO KEY, so that inserts of records that reference these do not wait.
    let locking = match hold {
        Hold::Shared => "FOR SHARE",
        Hold::Exclusive => "FOR NO KEY UPDATE",
    };
    let sql = format!(
        "SELECT id, jsonb FROM {}.{} WHERE id {AMONG_IDS} ORDER BY id {locking}",
        tenant.schema(),
        collection.table
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("jsonb")))
        .collect())
}

/// The status for a duplicate or an invalid reference in a batch: FOLIO's batch interfaces declare
/// an errors body, whatever those for one record do.
const CONFLICT_STATUS: u16 = 422;

/// Inserts validated records; returns their number. Human-readable ids are assigned in the order of
/// the records.
///
/// # Errors
/// When a key is taken or a reference is invalid: then none is inserted.
#[boxed]
pub async fn insert_many(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    documents: Vec<Map<String, Value>>,
    stamp: &Stamp,
) -> Result<usize, StoreError> {
    let count = documents.len();
    insert_documents(
        executor,
        tenant,
        collection,
        documents,
        stamp,
        Present::Refused,
    )
    .await?;
    Ok(count)
}

/// Stores those of new records, whose documents have been checked, of whose id there is none yet.
///
/// # Errors
/// When another key is taken or a reference is broken: then none is stored.
#[boxed]
pub async fn insert_absent(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    documents: Vec<Map<String, Value>>,
    stamp: &Stamp,
) -> Result<(), StoreError> {
    let present = Present::Kept;
    insert_documents(executor, tenant, collection, documents, stamp, present).await
}

/// What becomes of a new record whose id another has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Present {
    Refused,
    /// The other stays as it is.
    Kept,
}

async fn insert_documents(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    mut documents: Vec<Map<String, Value>>,
    stamp: &Stamp,
    present: Present,
) -> Result<(), StoreError> {
    if documents.is_empty() {
        return Ok(());
    }
    let numbered = hrid::assign_all(executor, tenant, collection, &mut documents).await?;
    let mut documents: Vec<(Uuid, Map<String, Value>)> = documents
        .into_iter()
        .map(|mut document| (stamp.complete(collection, &mut document), document))
        .collect();
    in_one_order(collection, &mut documents);
    let ids: Vec<Uuid> = documents.iter().map(|(id, _)| *id).collect();
    let bodies = documents
        .iter()
        .map(|(_, document)| to_bytes(document))
        .collect::<Result<Vec<_>, _>>()?;
    let bodies: Vec<RawJson<'_>> = bodies.iter().map(|body| RawJson(body)).collect();
    insert_rows(executor, tenant, collection, &ids, &bodies, present)
        .await
        .map_err(|error| {
            if numbered && hrid::is_taken(&error, collection) {
                StoreError::Contended
            } else {
                refused_of(error, collection, CONFLICT_STATUS, sent(&documents))
            }
        })
}

/// A new record that is ready to be inserted: validated, complete with id, metadata and version,
/// and serialized.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    pub id: Uuid,
    pub body: Vec<u8>,
}

/// Inserts records as they are, with their events; the caller has assigned human-readable ids. For
/// callers that make documents by the thousand, and serialize each only once.
///
/// # Errors
/// When a key is taken or a reference is invalid: then none is inserted.
#[boxed]
pub async fn insert_ready(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    records: &[&Ready],
) -> Result<(), StoreError> {
    if records.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = records.iter().map(|record| record.id).collect();
    let bodies: Vec<RawJson<'_>> = records.iter().map(|one| RawJson(&one.body)).collect();
    insert_rows(
        executor,
        tenant,
        collection,
        &ids,
        &bodies,
        Present::Refused,
    )
    .await
    .map_err(|error| refused(error, collection, CONFLICT_STATUS))
}

async fn insert_rows(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    ids: &[Uuid],
    bodies: &[RawJson<'_>],
    present: Present,
) -> Result<(), DatabaseError> {
    let change = Change {
        old: None,
        new: Some("stored.jsonb"),
        from: "stored",
    };
    let traces = traces(tenant, collection, change);
    let (schema, table) = (tenant.schema(), &collection.table);
    let conflict = match present {
        Present::Refused => "",
        Present::Kept => " ON CONFLICT (id) DO NOTHING",
    };
    let insert = format!(
        "INSERT INTO {schema}.{table} (id, jsonb) \
         SELECT id, jsonb FROM unnest($1::uuid[], $2::jsonb[]) AS _ (id, jsonb){conflict}"
    );
    // Returns no documents that nothing reads: they are long.
    let sql = if traces.is_empty() {
        insert
    } else {
        format!("WITH stored AS ({insert} RETURNING id, jsonb){traces} SELECT 1 WHERE false")
    };
    executor.rows(&sql, &[&ids, &bodies]).await?;
    Ok(())
}

fn sent(documents: &[(Uuid, Map<String, Value>)]) -> impl Iterator<Item = &Map<String, Value>> {
    documents.iter().map(|(_, document)| document)
}

/// The order in which records are inserted, by the first unique key that clients set, then by id.
/// Two concurrent batches with the same records then use the same order and do not deadlock.
fn in_one_order(collection: &Collection, documents: &mut [(Uuid, Map<String, Value>)]) {
    let key = collection
        .indexes
        .iter()
        .find(|index| index.kind == IndexKind::UniqueIndex && index.field != "hrid")
        .map(|index| index.field.as_str());
    let of = |document: &Map<String, Value>| -> Option<String> {
        Some(document.get(key?)?.as_str()?.to_lowercase())
    };
    documents.sort_by_cached_key(|(id, document)| (of(document), *id));
}

/// Whether a record is replaced only if it is as the client read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Locking {
    /// Where the collection has optimistic locking (`_version`).
    Declared,
    /// Whatever its `_version`.
    Suppressed,
}

/// Replaces validated records with their ids; each id once. As [`super::replace`] for each of them.
///
/// # Errors
/// When one of them does not exist or has changed, a key is taken or a reference is invalid; the
/// caller then has to roll back.
#[boxed]
pub async fn replace_many(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    documents: &[(Uuid, Map<String, Value>)],
    stamp: &Stamp,
    locking: Locking,
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
    // FOLIO's `_version` for "any version" counts as none here: only a whole batch can suppress
    // locking.
    let sent_version = format!("nullif(nullif(sent.jsonb->'_version', '{ANY_VERSION}'), 'null')");
    let mut guard = String::new();
    if collection.locked {
        stored.push_str(
            " || jsonb_build_object('_version', coalesce((old.jsonb->>'_version')::bigint + 1, 1))",
        );
        if locking == Locking::Declared {
            guard = format!(" AND old.jsonb->'_version' IS NOT DISTINCT FROM {sent_version}");
        }
    }
    let change = Change {
        old: Some("old.jsonb"),
        new: Some("stored.jsonb"),
        from: "stored JOIN old USING (id)",
    };
    let traces = traces(tenant, collection, change);
    let sql = format!(
        "WITH sent AS MATERIALIZED (SELECT * FROM unnest($1::uuid[], $2::jsonb[]) \
         WITH ORDINALITY AS _(id, jsonb, at)), \
         old AS MATERIALIZED (SELECT id, jsonb FROM {schema}.{table} WHERE id {AMONG_IDS} \
         ORDER BY id FOR NO KEY UPDATE), \
         stored AS (UPDATE {schema}.{table} AS target SET jsonb = {stored} \
         FROM old JOIN sent USING (id) WHERE target.id = old.id{guard} \
         RETURNING target.id, target.jsonb){traces} \
         SELECT sent.id, old.id IS NOT NULL AS is_stored, \
         old.jsonb->>'_version' AS stored_version, {sent_version}::text AS sent_version \
         FROM sent LEFT JOIN old USING (id) LEFT JOIN stored USING (id) \
         WHERE stored.id IS NULL ORDER BY at LIMIT 1"
    );
    let rows = executor
        .rows(&sql, &values)
        .await
        .map_err(|error| refused_of(error, collection, CONFLICT_STATUS, sent(documents)))?;
    let Some(row) = rows.first() else {
        return Ok(());
    };
    // The statement returns only the first record that was not replaced.
    if !row.get::<_, bool>("is_stored") {
        return Err(StoreError::NotFound);
    }
    let version = |column| {
        row.get::<_, Option<String>>(column)
            .unwrap_or_else(|| NO_VERSION.to_owned())
    };
    Err(StoreError::VersionConflict {
        id: row.get::<_, Uuid>("id").to_string(),
        stored: version("stored_version"),
        sent: version("sent_version"),
    })
}
