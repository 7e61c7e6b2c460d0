//! Creating, replacing and deleting one record, each a single statement that also writes the
//! domain event into the outbox.

use bytes::Bytes;
use octavo_postgres::{RawJson, ToSql};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Stamp, Store};
use crate::collection::Collection;
use crate::error::{StoreError, refused};
use crate::executor::Executor;
use crate::plan::Sql;
use crate::tenant::Tenant;

/// What [`replace`] did.
#[derive(Debug, Clone)]
pub struct Replaced {
    /// The stored JSON before.
    pub old: Bytes,
    /// The stored JSON now.
    pub new: Bytes,
}

impl Store {
    /// Checks and stores a new record; gives its id and the stored JSON.
    ///
    /// # Errors
    /// When the document does not fit, a key is taken or a reference is broken.
    pub async fn create(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        mut document: Value,
        stamp: &Stamp,
    ) -> Result<(Uuid, Bytes), StoreError> {
        collection
            .shape
            .check(&mut document)
            .map_err(StoreError::Invalid)?;
        insert(
            &self.database,
            tenant,
            collection,
            into_map(document),
            stamp,
        )
        .await
    }

    /// Checks and replaces the record of this id.
    ///
    /// # Errors
    /// As [`Store::create`], and when there is no such record (unless the collection upserts) or
    /// it has changed since `_version`.
    pub async fn replace(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        id: Uuid,
        mut document: Value,
        stamp: &Stamp,
    ) -> Result<(), StoreError> {
        collection
            .shape
            .check(&mut document)
            .map_err(StoreError::Invalid)?;
        let mut document = into_map(document);
        document.insert("id".to_owned(), json!(id));
        // Two rounds: a record that appears between a failed update and the insert is updated.
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

    /// Deletes a record.
    ///
    /// # Errors
    /// When there is none, or others still refer to it.
    pub async fn delete(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        id: Uuid,
    ) -> Result<(), StoreError> {
        delete(&self.database, tenant, collection, id).await
    }
}

fn into_map(document: Value) -> Map<String, Value> {
    match document {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

pub(super) fn to_bytes(document: &Map<String, Value>) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(document).map_err(|error| StoreError::Database(error.to_string()))
}

/// Stores a new record whose document has been checked; gives its id and the stored JSON.
///
/// # Errors
/// When a key is taken or a reference is broken.
pub async fn insert(
    executor: &impl Executor,
    tenant: &Tenant,
    collection: &Collection,
    document: Map<String, Value>,
    stamp: &Stamp,
) -> Result<(Uuid, Bytes), StoreError> {
    let (id, row) = insert_row(executor, tenant, collection, document, stamp, "").await?;
    let row = row.ok_or_else(|| StoreError::Database("an insert gave no row".to_owned()))?;
    Ok((id, row))
}

/// Stores a record unless one of its id is there; says whether it did.
///
/// # Errors
/// When another key is taken or a reference is broken.
pub async fn insert_if_absent(
    executor: &impl Executor,
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
    executor: &impl Executor,
    tenant: &Tenant,
    collection: &Collection,
    mut document: Map<String, Value>,
    stamp: &Stamp,
    conflict: &str,
) -> Result<(Uuid, Option<Bytes>), StoreError> {
    let id = stamp.complete(collection, &mut document);
    let schema = tenant.schema();
    let stored = match &collection.hrid {
        Some(function) if !document.contains_key("hrid") => {
            format!("$2::jsonb || jsonb_build_object('hrid', {schema}.{function}())")
        }
        _ => "$2::jsonb".to_owned(),
    };
    let event = event(schema, collection, "CREATE", "NULL", "jsonb", "stored");
    let sql = format!(
        "WITH stored AS (INSERT INTO {schema}.{} (id, jsonb) VALUES ($1, {stored}){conflict} \
         RETURNING id, jsonb){event} SELECT jsonb FROM stored",
        collection.table
    );
    let body = to_bytes(&document)?;
    let rows = executor
        .rows(&sql, &[&id, &RawJson(&body)])
        .await
        .map_err(|error| refused(error, collection))?;
    let row = rows
        .first()
        .map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>(0).0));
    Ok((id, row))
}

/// Replaces a record whose document has been checked. Who created it and when stays; with
/// optimistic locking the document's `_version` must be the stored one, and counts up.
///
/// # Errors
/// When there is no such record, it has changed, a key is taken or a reference is broken.
pub async fn replace(
    executor: &impl Executor,
    tenant: &Tenant,
    collection: &Collection,
    id: Uuid,
    document: &Map<String, Value>,
    stamp: &Stamp,
) -> Result<Replaced, StoreError> {
    let (schema, table) = (tenant.schema(), &collection.table);
    let version = document.get("_version").and_then(Value::as_i64);
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
            " || jsonb_build_object('_version', ${at}::bigint + 1)"
        ));
        guard = format!(" AND (old.jsonb->>'_version')::bigint = ${at}::bigint");
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
        "WITH old AS MATERIALIZED (SELECT id, jsonb FROM {schema}.{table} WHERE id = $1 \
         FOR NO KEY UPDATE), \
         stored AS (UPDATE {schema}.{table} AS target SET jsonb = {stored} FROM old \
         WHERE target.id = old.id{guard} RETURNING target.id, target.jsonb){event} \
         SELECT old.jsonb, (SELECT stored.jsonb FROM stored), old.jsonb->>'_version' FROM old"
    );
    let rows = executor
        .rows(&sql, &values)
        .await
        .map_err(|error| refused(error, collection))?;
    let row = rows.first().ok_or(StoreError::NotFound)?;
    match row.get::<_, Option<RawJson<'_>>>(1) {
        Some(new) => Ok(Replaced {
            old: Bytes::copy_from_slice(row.get::<_, RawJson<'_>>(0).0),
            new: Bytes::copy_from_slice(new.0),
        }),
        None => Err(StoreError::VersionConflict {
            id: id.to_string(),
            stored: row
                .get::<_, Option<String>>(2)
                .unwrap_or_else(|| "null".to_owned()),
            sent: version.map_or_else(|| "null".to_owned(), |number| number.to_string()),
        }),
    }
}

/// Deletes a record.
///
/// # Errors
/// When there is none, or others still refer to it.
pub async fn delete(
    executor: &impl Executor,
    tenant: &Tenant,
    collection: &Collection,
    id: Uuid,
) -> Result<(), StoreError> {
    let schema = tenant.schema();
    let event = event(schema, collection, "DELETE", "jsonb", "NULL", "old");
    let sql = format!(
        "WITH old AS (DELETE FROM {schema}.{} WHERE id = $1 RETURNING id, jsonb){event} \
         SELECT id FROM old",
        collection.table
    );
    let rows = executor
        .rows(&sql, &[&id])
        .await
        .map_err(|error| refused(error, collection))?;
    if rows.is_empty() {
        Err(StoreError::NotFound)
    } else {
        Ok(())
    }
}

/// Writes an event that is not the change of one record, inside the caller's transaction.
///
/// # Errors
/// When the database does not answer.
pub async fn emit(
    executor: &impl Executor,
    tenant: &Tenant,
    topic: &str,
    key: Uuid,
    kind: &str,
    payload: &Value,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.outbox (topic, key, type, new) VALUES ($1, $2, $3, $4)",
        tenant.schema()
    );
    executor.rows(&sql, &[&topic, &key, &kind, payload]).await?;
    Ok(())
}

/// The part of a write that records its domain event; empty for collections without a topic.
pub(super) fn event(
    schema: &str,
    collection: &Collection,
    kind: &str,
    old: &str,
    new: &str,
    from: &str,
) -> String {
    match &collection.topic {
        None => String::new(),
        Some(topic) => format!(
            ", event AS (INSERT INTO {schema}.outbox (topic, key, type, old, new) \
             SELECT '{topic}', id, '{kind}', {old}, {new} FROM {from})"
        ),
    }
}

impl Store {
    /// Deletes every record that a query finds; gives how many.
    ///
    /// # Errors
    /// When the query cannot be run, or one of them is still referred to: then none is deleted.
    pub async fn delete_matching(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        query: &str,
    ) -> Result<u64, StoreError> {
        let plan = self.plan(tenant, collection, Some(query))?;
        let schema = tenant.schema();
        let mut sql = Sql::default();
        sql.push(&format!(
            "WITH old AS (DELETE FROM {schema}.{}",
            collection.table
        ));
        sql.filter(schema, &plan.predicate);
        let event = event(schema, collection, "DELETE", "jsonb", "NULL", "old");
        sql.push(&format!(
            " RETURNING id, jsonb){event} SELECT count(*) FROM old"
        ));
        let rows = self
            .database
            .query(&sql.text, &sql.bound())
            .await
            .map_err(|error| refused(error, collection))?;
        Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0)) as u64)
    }
}
