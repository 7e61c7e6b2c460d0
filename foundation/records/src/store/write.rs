//! Creates and replaces one record, each by a single statement that also writes the domain event
//! into the outbox.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::{RawJson, ToSql};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::trace::{Change, traces};
use super::{Stamp, Store, hrid};
use crate::collection::Collection;
use crate::error::{StoreError, refused_of};
use crate::executor::Executor;
use crate::retry::retried;
use crate::tenant::Tenant;

/// FOLIO's `_version` of a request that overwrites any version.
pub(super) const ANY_VERSION: i64 = -1;
/// How FOLIO's message prints a missing `_version`.
pub(super) const NO_VERSION: &str = "<NULL>";

/// The result of [`replace`].
#[derive(Debug, Clone)]
pub struct Replaced {
    /// The stored JSON before.
    pub old: Bytes,
    /// The stored JSON now.
    pub new: Bytes,
}

impl Store {
    /// Validates and stores a new record; returns its id and the stored JSON.
    ///
    /// # Errors
    /// When the document is invalid, a key is taken or a reference is invalid.
    #[boxed]
    pub async fn create(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        mut document: Value,
        stamp: &Stamp,
    ) -> Result<(Uuid, Bytes), StoreError> {
        check(collection, &mut document)?;
        let document = into_map(document);
        // Only a generated human-readable id can meet one of another client without any client
        // being at fault; then the next one is tried.
        if collection.hrid.is_none() {
            return insert(&self.database, tenant, collection, document, stamp).await;
        }
        retried(|| {
            let document = document.clone();
            insert(&self.database, tenant, collection, document, stamp)
        })
        .await
    }

    /// Validates and replaces the record with this id.
    ///
    /// # Errors
    /// As [`Store::create`], and when there is no such record (unless the collection upserts) or it
    /// has changed since `_version`.
    #[boxed]
    pub async fn replace(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        id: Uuid,
        mut document: Value,
        stamp: &Stamp,
    ) -> Result<(), StoreError> {
        collection.settle_id(id, &mut document);
        check(collection, &mut document)?;
        let mut document = into_map(document);
        document.insert("id".to_owned(), json!(id));
        // Two rounds: a record that is created between a failed update and the insert is updated.
        for _ in 0..2 {
            match replace(&self.database, tenant, collection, id, &document, stamp).await {
                Err(StoreError::NotFound) if collection.upsert => {}
                other => return other.map(|_| ()),
            }
            let copy = document.clone();
            if insert_if_absent(&self.database, tenant, collection, copy, stamp).await? {
                return Ok(());
            }
        }
        Err(StoreError::NotFound)
    }
}

fn check(collection: &Collection, document: &mut Value) -> Result<(), StoreError> {
    let _span = octavo_trace::span("check the record");
    collection
        .shape
        .check(document)
        .map_err(StoreError::Invalid)
}

fn into_map(document: Value) -> Map<String, Value> {
    match document {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

pub(super) fn to_bytes(document: &Map<String, Value>) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(document).map_err(|error| StoreError::json(error))
}

/// Stores a new validated record; returns its id and the stored JSON.
///
/// # Errors
/// When a key is taken or a reference is invalid.
#[boxed]
pub async fn insert(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    document: Map<String, Value>,
    stamp: &Stamp,
) -> Result<(Uuid, Bytes), StoreError> {
    let (id, row) = insert_row(executor, tenant, collection, document, stamp, "").await?;
    let row = row.ok_or_else(|| StoreError::fault("an insert gave no row"))?;
    Ok((id, row))
}

/// Stores a record unless its id exists; returns whether it did.
///
/// # Errors
/// When another key is taken or a reference is invalid.
#[boxed]
pub async fn insert_if_absent(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    document: Map<String, Value>,
    stamp: &Stamp,
) -> Result<bool, StoreError> {
    let conflict = " ON CONFLICT (id) DO NOTHING";
    let (_, row) = insert_row(executor, tenant, collection, document, stamp, conflict).await?;
    Ok(row.is_some())
}

async fn insert_row(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    mut document: Map<String, Value>,
    stamp: &Stamp,
    conflict: &str,
) -> Result<(Uuid, Option<Bytes>), StoreError> {
    let id = stamp.complete(collection, &mut document);
    let schema = tenant.schema();
    let function = hrid::function(collection, &document);
    let stored = match function {
        Some(function) => hrid::with_generated(tenant, collection, function),
        None => "sent.jsonb".to_owned(),
    };
    let change = Change {
        old: None,
        new: Some("stored.jsonb"),
        from: "stored",
    };
    let traces = traces(tenant, collection, change);
    let sql = format!(
        // The document gets a name, `sent`, since the expression for its human-readable id refers
        // to it.
        "WITH stored AS (INSERT INTO {schema}.{} (id, jsonb) \
         SELECT sent.id, {stored} FROM (SELECT $1::uuid AS id, $2::jsonb AS jsonb) AS sent{conflict} \
         RETURNING id, jsonb){traces} SELECT jsonb FROM stored",
        collection.table
    );
    let body = to_bytes(&document)?;
    let rows =
        executor
            .rows(&sql, &[&id, &RawJson(&body)])
            .await
            .map_err(|error| match function {
                Some(_) if hrid::is_taken(&error, collection) => StoreError::Contended,
                _ => refused_of(
                    error,
                    collection,
                    collection.conflict_status,
                    [&document].into_iter(),
                ),
            })?;
    let row = rows
        .first()
        .map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0));
    Ok((id, row))
}

/// Replaces a record by a validated one. Its creator and time of creation stay; with optimistic
/// locking the document's `_version` must be the stored one, and is incremented.
///
/// # Errors
/// When there is no such record, it has changed, a key is taken or a reference is invalid.
#[boxed]
pub async fn replace(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    id: Uuid,
    document: &Map<String, Value>,
    stamp: &Stamp,
) -> Result<Replaced, StoreError> {
    let (schema, table) = (tenant.schema(), &collection.table);
    // FOLIO's `_version` for "any version" counts as none here: only batches can suppress locking.
    let version = document.get("_version").and_then(Value::as_i64);
    let version = version.filter(|number| *number != ANY_VERSION);
    let body = to_bytes(document)?;
    let raw = RawJson(&body);
    let updated = stamp.updated();
    let mut values: Vec<&(dyn ToSql + Sync)> = vec![&id, &raw];
    let mut stored = "$2::jsonb".to_owned();
    let mut guard = String::new();
    if collection.has_metadata() {
        values.push(&updated);
        stored.push_str(" || jsonb_build_object('metadata', coalesce(old.jsonb->'metadata', '{}')");
        stored.push_str(&format!(" || ${}::jsonb)", values.len()));
    }
    if collection.locked {
        values.push(&version);
        let at = values.len();
        stored.push_str(&format!(
            " || jsonb_build_object('_version', coalesce(${at}::bigint + 1, 1))"
        ));
        guard = format!(" AND (old.jsonb->>'_version')::bigint IS NOT DISTINCT FROM ${at}::bigint");
    }
    let change = Change {
        old: Some("old.jsonb"),
        new: Some("stored.jsonb"),
        from: "stored JOIN old USING (id)",
    };
    let traces = traces(tenant, collection, change);
    let sql = format!(
        // `old` locks the row before it is read, so the version that is compared and the document
        // in the event are those that are replaced. NO KEY, so that inserts of records that
        // reference this one do not wait.
        "WITH old AS MATERIALIZED (SELECT id, jsonb FROM {schema}.{table} WHERE id = $1 \
         FOR NO KEY UPDATE), \
         stored AS (UPDATE {schema}.{table} AS target SET jsonb = {stored} FROM old \
         WHERE target.id = old.id{guard} RETURNING target.id, target.jsonb){traces} \
         SELECT old.jsonb AS old, (SELECT stored.jsonb FROM stored) AS new, \
         old.jsonb->>'_version' AS old_version FROM old"
    );
    let rows = executor.rows(&sql, &values).await.map_err(|error| {
        let status = collection.replace_conflict_status;
        let refused = refused_of(error, collection, status, [document].into_iter());
        reworded_for_replace(refused, collection)
    })?;
    let row = rows.first().ok_or(StoreError::NotFound)?;
    match row.get::<_, Option<RawJson<'_>>>("new") {
        Some(new) => Ok(Replaced {
            old: Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("old").0),
            new: Bytes::copy_from_slice(new.0),
        }),
        None => Err(StoreError::VersionConflict {
            id: id.to_string(),
            stored: row
                .get::<_, Option<String>>("old_version")
                .unwrap_or_else(|| NO_VERSION.to_owned()),
            sent: version.map_or_else(|| NO_VERSION.to_owned(), |number| number.to_string()),
        }),
    }
}

/// Whether a violated reference is a declared one, and not one of an area's own table.
fn is_key(collection: &Collection, field: &str) -> bool {
    let column = field.rsplit('.').next().unwrap_or_default();
    let mut references = collection.references.iter();
    references.any(|one| one.column() == column)
}

/// The error of a replaced record, where its module words it differently from that of a new one.
fn reworded_for_replace(refused: StoreError, collection: &Collection) -> StoreError {
    match refused {
        StoreError::MissingReference {
            status,
            message,
            field,
            value,
        } if collection.blank_before_column && is_key(collection, &field) => {
            let table = &collection.table;
            let (dotted, spaced) = (format!("set {table}."), format!("set {table} "));
            StoreError::MissingReference {
                status,
                message: message.replacen(&dotted, &spaced, 1),
                field,
                value,
            }
        }
        other => other,
    }
}
