//! Storing many records of one type at once: all of them or none, in a few statements.

use std::collections::{HashMap, HashSet};

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{Hold, Locking, fetch_many, insert, insert_many, replace_many};
use octavo_records::{Collection, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::follow_holdings::follow_holdings;
use super::{
    Context, Refusal, Wrong, all_checked, following, id_in, object, statistical_codes,
    store_holdings, store_instance, store_item,
};
use crate::followers::Movable;
use crate::rules::derive::items_follow;
use crate::rules::{derive_item, hrid, patch};

/// Records that one request may carry, as in FOLIO.
pub const RECORDS_MAX: usize = 10_000;

/// How to treat records with known and unknown ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Create,
    /// Existing ones are replaced.
    Upsert,
    /// The same, whatever their `_version`.
    UpsertAny,
    /// All must exist.
    Replace,
}

impl Mode {
    fn locking(self) -> Locking {
        match self {
            Mode::UpsertAny => Locking::Suppressed,
            Mode::Create | Mode::Upsert | Mode::Replace => Locking::Declared,
        }
    }
}

/// Records of a batch with those they replace, which are locked.
struct Batch {
    records: Vec<(Uuid, Value)>,
    old: HashMap<Uuid, Value>,
}

/// Where an item lies.
const SHELF: &str = "holdingsRecordId";

/// The ids of the records that may be replaced.
fn replaced(records: &[(Uuid, Value)], mode: Mode) -> Vec<Uuid> {
    match mode {
        Mode::Create => Vec::new(),
        Mode::Upsert | Mode::UpsertAny | Mode::Replace => {
            records.iter().map(|(id, _)| *id).collect()
        }
    }
}

/// Stores items.
///
/// # Errors
/// When one of them is refused; then none is stored.
#[boxed]
pub async fn store_items(
    context: &Context<'_>,
    documents: Vec<Value>,
    mode: Mode,
) -> Result<(), Refusal> {
    let collection = context.collection("item");
    let records = accepted(collection, documents)?;
    let transaction = context.store.database.transaction().await?;
    let ids = replaced(&records, mode);
    following::hold(&transaction, context, Movable::Items(&ids)).await?;
    // Lock order: holdings before items, as everywhere, so that two transactions cannot deadlock.
    let shelves: HashSet<Uuid> = records
        .iter()
        .filter_map(|(_, item)| id_in(item, "holdingsRecordId"))
        .collect();
    let shelves: Vec<Uuid> = shelves.into_iter().collect();
    let on = context.collection("holdings_record");
    let holdings = fetch_many(&transaction, context.tenant, on, &shelves, Hold::Shared).await?;
    let mut batch = begin(&transaction, context, collection, records, mode).await?;
    let now = context.now();
    for (id, item) in &mut batch.records {
        let holdings_id = id_in(item, "holdingsRecordId");
        let holdings_id = holdings_id.ok_or_else(|| Refusal::without_holdings(None))?;
        let holdings = holdings
            .get(&holdings_id)
            .ok_or_else(|| store_item::missing_holdings(item, holdings_id))?;
        store_item::check_order(item)?;
        store_item::complete(item);
        derive_item(item, holdings, batch.old.get(id), &now);
    }
    let lies_elsewhere = |(id, item): &&(Uuid, Value)| {
        let old = batch.old.get(id);
        old.is_some_and(|old| old.get(SHELF) != item.get(SHELF))
    };
    let moved = batch.records.iter().filter(lies_elsewhere);
    let moved: Vec<Value> = moved.map(|(_, item)| item.clone()).collect();
    write(&transaction, context, collection, batch, mode.locking()).await?;
    following::items(&transaction, context, &moved).await?;
    transaction.commit().await?;
    Ok(())
}

/// Stores holdings; items of changed ones are updated.
///
/// # Errors
/// When one of them cannot be stored: then none is.
#[boxed]
pub async fn store_holdings(
    context: &Context<'_>,
    documents: Vec<Value>,
    mode: Mode,
) -> Result<(), Refusal> {
    let collection = context.collection("holdings_record");
    let records = accepted(collection, documents)?;
    let transaction = context.store.database.transaction().await?;
    let ids = replaced(&records, mode);
    following::hold(&transaction, context, Movable::Holdings(&ids)).await?;
    let mut batch = begin(&transaction, context, collection, records, mode).await?;
    let mut moved = HashMap::new();
    for (id, holdings) in &mut batch.records {
        store_holdings::complete(holdings);
        if batch
            .old
            .get(id)
            .is_some_and(|old| items_follow(holdings, old))
        {
            moved.insert(*id, holdings.clone());
        }
    }
    let changed = batch.records.iter().filter_map(|(id, new)| {
        let old = batch.old.get(id)?;
        following::concerns(old, new).then(|| (*id, old.clone(), new.clone()))
    });
    let changed: Vec<(Uuid, Value, Value)> = changed.collect();
    write(&transaction, context, collection, batch, mode.locking()).await?;
    if !moved.is_empty() {
        follow_holdings(&transaction, context, &moved).await?;
    }
    let changed = changed.iter().map(|(id, old, new)| (*id, old, new));
    following::holdings(&transaction, context, changed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Stores instances.
///
/// # Errors
/// When one of them cannot be stored: then none is.
#[boxed]
pub async fn store_instances(
    context: &Context<'_>,
    documents: Vec<Value>,
    mode: Mode,
) -> Result<(), Refusal> {
    let collection = context.collection("instance");
    let records = accepted(collection, documents)?;
    let transaction = context.store.database.transaction().await?;
    let mut batch = begin(&transaction, context, collection, records, mode).await?;
    let now = context.now();
    for (id, instance) in &mut batch.records {
        store_instance::complete(instance, batch.old.get(id), &now);
    }
    write(&transaction, context, collection, batch, mode.locking()).await?;
    transaction.commit().await?;
    Ok(())
}

/// Adds items in a transaction; returns their ids in their order.
///
/// # Errors
/// When one of them is refused: the caller then has to roll back.
#[boxed]
pub async fn add_items(
    transaction: &Transaction,
    context: &Context<'_>,
    documents: Vec<Value>,
) -> Result<Vec<Uuid>, Refusal> {
    let shelves: HashSet<Uuid> = documents
        .iter()
        .filter_map(|item| id_in(item, SHELF))
        .collect();
    let shelves: Vec<Uuid> = shelves.into_iter().collect();
    let on = context.collection("holdings_record");
    let holdings = fetch_many(transaction, context.tenant, on, &shelves, Hold::Shared).await?;
    let now = context.now();
    add(transaction, context, "item", documents, |item| {
        let id = id_in(item, SHELF).ok_or_else(|| Refusal::without_holdings(None))?;
        let holdings = holdings.get(&id);
        let holdings = holdings.ok_or_else(|| store_item::missing_holdings(item, id))?;
        store_item::check_order(item)?;
        store_item::complete(item);
        derive_item(item, holdings, None, &now);
        Ok(())
    })
    .await
}

/// Adds holdings in a transaction; returns their ids in their order.
///
/// # Errors
/// As [`add_items`].
#[boxed]
pub async fn add_holdings(
    transaction: &Transaction,
    context: &Context<'_>,
    documents: Vec<Value>,
) -> Result<Vec<Uuid>, Refusal> {
    add(
        transaction,
        context,
        "holdings_record",
        documents,
        |holdings| {
            store_holdings::complete(holdings);
            Ok(())
        },
    )
    .await
}

/// Adds instances in a transaction; returns their ids in their order.
///
/// # Errors
/// As [`add_items`].
#[boxed]
pub async fn add_instances(
    transaction: &Transaction,
    context: &Context<'_>,
    documents: Vec<Value>,
) -> Result<Vec<Uuid>, Refusal> {
    let now = context.now();
    add(transaction, context, "instance", documents, |instance| {
        store_instance::complete(instance, None, &now);
        Ok(())
    })
    .await
}

async fn add(
    transaction: &Transaction,
    context: &Context<'_>,
    table: &'static str,
    mut documents: Vec<Value>,
    complete: impl Fn(&mut Value) -> Result<(), Refusal>,
) -> Result<Vec<Uuid>, Refusal> {
    let collection = context.collection(table);
    let mut ids = Vec::with_capacity(documents.len());
    while !documents.is_empty() {
        let rest = documents.split_off(documents.len().min(RECORDS_MAX));
        let mut records = accepted(collection, documents)?;
        documents = rest;
        for (id, record) in &mut records {
            complete(record)?;
            ids.push(*id);
        }
        // One record gets its number in the statement that stores it.
        if let [(id, record)] = records.as_mut_slice() {
            let record = object(record.take());
            let (tenant, stamp) = (context.tenant, &context.stamp);
            let stored = insert(transaction, tenant, collection, record, stamp).await;
            stored.map_err(|error| statistical_codes::refusal_of(error, table, *id))?;
            continue;
        }
        let batch = Batch {
            records,
            old: HashMap::new(),
        };
        let locking = Mode::Create.locking();
        write(transaction, context, collection, batch, locking).await?;
    }
    Ok(ids)
}

/// Replaces some properties of items, each of which must still have the `_version` of its patch.
///
/// # Errors
/// When one of them does not exist or cannot be stored: then none is changed.
#[boxed]
pub async fn patch_items(context: &Context<'_>, patches: Vec<Value>) -> Result<(), Refusal> {
    within_limit(&patches)?;
    if patches.is_empty() {
        return Err(Refusal::Forbidden(
            "Expected at least one item to update".to_owned(),
        ));
    }
    let mut ids = Vec::with_capacity(patches.len());
    for patch in &patches {
        super::refusal::require_version(patch)?;
        let id = id_in(patch, "id");
        ids.push(id.ok_or_else(|| Refusal::property("must not be null", "id", "null"))?);
    }
    let removed: Vec<Wrong> = patches.iter().filter_map(removes_required).collect();
    if !removed.is_empty() {
        return Err(Refusal::Listed(removed));
    }
    // Not locked: a concurrent change is detected by its version when the item is replaced.
    let database = &context.store.database;
    let collection = context.collection("item");
    let old = fetch_many(database, context.tenant, collection, &ids, Hold::Shared).await?;
    let missing: Vec<String> = ids
        .iter()
        .filter(|id| !old.contains_key(id))
        .take(MISSING_TOLD)
        .map(Uuid::to_string)
        .collect();
    match missing.as_slice() {
        [] => {}
        [one] => {
            let sentence = format!("Item not found in database: {one}");
            return Err(Refusal::MissingNamed(sentence));
        }
        several => {
            let sentence = format!("Items not found in database: {}", several.join(", "));
            return Err(Refusal::MissingNamed(sentence));
        }
    }
    let mut items = Vec::with_capacity(patches.len());
    for (id, changes) in ids.iter().zip(&patches) {
        let old = old.get(id).ok_or(super::refusal::NOT_FOUND)?;
        let item = patch::merged(old, changes);
        if let Some(sentence) = hrid::refuse_change(&item, old) {
            return Err(Refusal::Forbidden(sentence));
        }
        items.push(item);
    }
    store_items(context, items, Mode::Replace).await
}

/// Maximal number of unknown items named in an error.
const MISSING_TOLD: usize = 1_000;

/// FOLIO's refusal of a patch that removes required properties.
fn removes_required(patch: &Value) -> Option<Wrong> {
    let about: Vec<(String, Option<String>)> = patch::removed(patch)
        .into_iter()
        .map(|property| ("field".to_owned(), Some(property.to_owned())))
        .collect();
    let id = patch.get("id").and_then(Value::as_str).unwrap_or("null");
    (!about.is_empty()).then(|| Wrong {
        code: "field.required",
        message: format!("Required fields cannot be removed. ItemId: {id}"),
        about,
    })
}

fn within_limit(documents: &[Value]) -> Result<(), Refusal> {
    match documents.len() {
        sent if sent > RECORDS_MAX => Err(Refusal::TooMany {
            most: RECORDS_MAX,
            sent,
        }),
        _ => Ok(()),
    }
}

/// The documents by id, without duplicate ids.
fn accepted(collection: &Collection, documents: Vec<Value>) -> Result<Vec<(Uuid, Value)>, Refusal> {
    within_limit(&documents)?;
    let records = all_checked(collection, documents)?;
    let mut seen = HashSet::with_capacity(records.len());
    match records.iter().find(|(id, _)| !seen.insert(*id)) {
        Some((id, _)) => Err(Refusal::Store(StoreError::Duplicate {
            status: 422,
            message: format!(
                "id value already exists in table {}: {id}",
                collection.table
            ),
            field: "id".to_owned(),
            value: id.to_string(),
        })),
        None => Ok(records),
    }
}

async fn begin(
    transaction: &Transaction,
    context: &Context<'_>,
    collection: &Collection,
    mut records: Vec<(Uuid, Value)>,
    mode: Mode,
) -> Result<Batch, Refusal> {
    let ids: Vec<Uuid> = records.iter().map(|(id, _)| *id).collect();
    let old = match mode {
        Mode::Create => HashMap::new(),
        Mode::Upsert | Mode::UpsertAny | Mode::Replace => {
            fetch_many(
                transaction,
                context.tenant,
                collection,
                &ids,
                Hold::Exclusive,
            )
            .await?
        }
    };
    if mode == Mode::Replace && old.len() < records.len() {
        return Err(super::refusal::NOT_FOUND);
    }
    for (id, record) in &mut records {
        let Some(old) = old.get(id) else { continue };
        // A replaced record without an HRID keeps its old one.
        if hrid::is_missing(record)
            && let (Value::Object(record), Some(kept)) = (record, old.get("hrid"))
        {
            record.insert("hrid".to_owned(), kept.clone());
        }
    }
    Ok(Batch { records, old })
}

async fn write(
    transaction: &Transaction,
    context: &Context<'_>,
    collection: &Collection,
    batch: Batch,
    locking: Locking,
) -> Result<(), Refusal> {
    let users = statistical_codes::users(collection, &batch.records);
    let told = |error| statistical_codes::refusal_of_batch(error, &collection.table, &users);
    let (mut new, mut changed) = (Vec::new(), Vec::new());
    for (id, record) in batch.records {
        match batch.old.contains_key(&id) {
            true => changed.push((id, object(record))),
            false => new.push(object(record)),
        }
    }
    let stamp = &context.stamp;
    replace_many(
        transaction,
        context.tenant,
        collection,
        &changed,
        stamp,
        locking,
    )
    .await
    .map_err(told)?;
    let inserted = insert_many(transaction, context.tenant, collection, new, stamp).await;
    inserted.map(|_| ()).map_err(told)
}
