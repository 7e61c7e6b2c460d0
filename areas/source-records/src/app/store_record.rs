//! Storing a source record: as a new generation, or replacing the one of its id.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_library::{MatchedId, SnapshotId, SourceRecordId};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::{fetch, fetch_locked, insert, replace};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::record_form::{Form, check_generation, check_leader_status, state_in_place};
use super::snapshots::STARTED;
use super::{Context, Refusal};
use crate::store;

const TABLE: &str = "source_record";

/// A record as it was stored.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Its own id, that of this generation.
    pub id: SourceRecordId,
    /// The id that all its generations share.
    pub matched_id: MatchedId,
    /// Its number among these, from 0.
    pub generation: i64,
    /// The stored JSON.
    pub json: Bytes,
}

/// Stores a record as the next generation for the same described record; the current one becomes an old
/// one. Returns the stored JSON.
///
/// # Errors
/// As [`store_generation`].
#[boxed]
pub async fn create_record(context: &Context<'_>, document: Value) -> Result<Bytes, Refusal> {
    let transaction = context.store.database.transaction().await?;
    let stored = store_generation(context, &transaction, document).await?;
    transaction.commit().await?;
    Ok(stored.json)
}

/// The same inside the caller's transaction. `document` is a record as FOLIO's `POST
/// /source-storage/records` takes it: `snapshotId`, `recordType`, `rawRecord`, `parsedRecord.content`
/// and `externalIdsHolder`; `id`, `matchedId` and `generation` are assigned when missing. Concurrent
/// generations of the same record wait until the transaction ends.
///
/// Lock order: lock the described record (instance, holdings, authority) first; source records come
/// last.
///
/// # Errors
/// When it does not fit, knows no instance, its snapshot takes no records, or its id or generation is
/// taken.
#[boxed]
pub async fn store_generation(
    context: &Context<'_>,
    transaction: &Transaction,
    document: Value,
) -> Result<Stored, Refusal> {
    let mut form = Form::read(checked(context, document)?);
    form.require_instance()?;
    let id = given_id(&form.document).unwrap_or_else(|| Uuid::new_v4().into());
    require_snapshot(context, transaction, &form.document).await?;
    // Locked before the look-up, so that two first records of one instance are serialised.
    if let Some((_, external)) = form.described() {
        store::lock_described(transaction, context.tenant, external).await?;
    }
    let matched_id = matched_id(context, transaction, &form, id).await?;
    form.set_matched_id(matched_id);
    store::lock_generations(transaction, context.tenant, matched_id).await?;
    if !form.document.contains_key("generation") {
        let next = store::next_generation(transaction, context.tenant, matched_id).await?;
        form.document.insert("generation".to_owned(), json!(next));
    }
    let document = form.finish(id);
    let generation = document["generation"].as_i64().unwrap_or_default();
    if document["state"] == "ACTUAL" || document["state"] == "DELETED" {
        store::retire(transaction, context.tenant, matched_id, &context.stamp).await?;
    }
    let collection = context.collection(TABLE);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let (_, json) = insert(transaction, tenant, collection, document, stamp).await?;
    Ok(Stored {
        id,
        matched_id,
        generation,
        json,
    })
}

/// Stores a new generation of a record that must have one already.
///
/// # Errors
/// As [`create_record`], and when the record's own field names another, or there is none.
#[boxed]
pub async fn create_generation(
    context: &Context<'_>,
    matched_id: MatchedId,
    document: Value,
) -> Result<Bytes, Refusal> {
    let form = Form::read(checked(context, document.clone())?);
    let named = form.matched_id_in_marc().unwrap_or("null").to_owned();
    if named != matched_id.to_string() {
        return Err(Refusal::OtherRecord(matched_id, named));
    }
    let database = &context.store.database;
    if store::next_generation(database, context.tenant, matched_id).await? == 0 {
        return Err(Refusal::NoGeneration(matched_id));
    }
    let mut document = document;
    document["id"] = json!(Uuid::new_v4());
    create_record(context, document).await
}

/// Replaces the record of this id as it is, without a new generation; returns the stored JSON. An old
/// generation stays old while there is a current one.
///
/// # Errors
/// When it does not fit or there is none.
#[boxed]
pub async fn replace_record(
    context: &Context<'_>,
    id: SourceRecordId,
    document: Value,
) -> Result<Bytes, Refusal> {
    let mut document = checked(context, document)?;
    let collection = context.collection(TABLE);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let transaction = context.store.database.transaction().await?;
    let found = fetch(&transaction, tenant, collection, id.uuid()).await?;
    let found = found.ok_or(Refusal::RecordNotFound(id.uuid()))?;
    // Lock order: the generations before the record itself, as when storing a new generation.
    let sent = matched_id_in(&document);
    let mut generations: Vec<MatchedId> = found
        .as_object()
        .and_then(matched_id_in)
        .into_iter()
        .collect();
    generations.extend(sent);
    store::batch::lock_all(&transaction, tenant, &[], &generations).await?;
    // Read after the lock: another generation may have become the current one.
    let old = fetch_locked(&transaction, tenant, collection, id.uuid()).await?;
    let old = old.ok_or(Refusal::RecordNotFound(id.uuid()))?;
    let other_is_current = match sent {
        Some(matched_id) => store::other_is_current(&transaction, tenant, matched_id, id).await?,
        None => false,
    };
    let state = state_in_place(document.get("state"), &old["state"], other_is_current);
    document.insert("state".to_owned(), state);
    if !document.contains_key("generation") {
        document.insert("generation".to_owned(), old["generation"].clone());
    }
    let document = Form::read(document).finish(id);
    let replaced = replace(
        &transaction,
        tenant,
        collection,
        id.uuid(),
        &document,
        stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(replaced.new)
}

pub(super) fn checked(
    context: &Context<'_>,
    mut document: Value,
) -> Result<Map<String, Value>, StoreError> {
    context
        .collection(TABLE)
        .shape
        .check(&mut document)
        .map_err(StoreError::Invalid)?;
    let document = match document {
        Value::Object(document) => document,
        _ => Map::new(),
    };
    check_generation(&document)
        .and_then(|()| check_leader_status(&document))
        .map_err(|wrong| StoreError::Invalid(vec![wrong]))?;
    Ok(document)
}

fn matched_id_in(document: &Map<String, Value>) -> Option<MatchedId> {
    MatchedId::parse(document.get("matchedId")?.as_str()?)
}

pub(super) fn given_id(document: &Map<String, Value>) -> Option<SourceRecordId> {
    SourceRecordId::parse(document.get("id")?.as_str()?)
}

/// Records go into a snapshot whose processing has begun.
async fn require_snapshot(
    context: &Context<'_>,
    transaction: &Transaction,
    document: &Map<String, Value>,
) -> Result<(), Refusal> {
    let id = document.get("snapshotId").and_then(Value::as_str);
    let id = id.and_then(SnapshotId::parse).unwrap_or_default();
    let snapshot = fetch(
        transaction,
        context.tenant,
        context.collection("snapshot"),
        id.uuid(),
    )
    .await?;
    snapshot_takes_records(id, snapshot)
}

/// Whether a snapshot exists and its processing has started.
pub(super) fn snapshot_takes_records(
    id: SnapshotId,
    snapshot: Option<Value>,
) -> Result<(), Refusal> {
    let snapshot = snapshot.ok_or(Refusal::SnapshotNotFound(id))?;
    if snapshot.get(STARTED).is_none() {
        let status = snapshot["status"].as_str().unwrap_or_default().to_owned();
        return Err(Refusal::SnapshotNotStarted(status));
    }
    Ok(())
}

/// The id that all generations share: the one in the record's own field; else that of the current
/// record of the same thing; else its own.
async fn matched_id(
    context: &Context<'_>,
    transaction: &Transaction,
    form: &Form,
    id: SourceRecordId,
) -> Result<MatchedId, StoreError> {
    if let Some(named) = form.matched_id_in_marc().and_then(MatchedId::parse) {
        return Ok(named);
    }
    match form.described().filter(|_| form.is_actual()) {
        // The first generation: its own id is shared by those that follow.
        None => Ok(id.into()),
        Some((property, external)) => {
            let known =
                store::matched_id_of(transaction, context.tenant, property, external).await?;
            Ok(known.unwrap_or_else(|| id.into()))
        }
    }
}
