//! Storing one item: its effective location, call number and shelving order are derived from its
//! holdings, which are locked meanwhile, so that a concurrent change of the holdings comes entirely
//! before or after.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, fetch_shared, insert, replace};
use octavo_records::{Executor, Last, StoreError, new_id};
use serde_json::Value;
use tokio::try_join;
use uuid::Uuid;

use super::{
    Context, Guard, Refusal, checked, following, id_in, object_of, patched, statistical_codes,
};
use crate::followers::Movable;
use crate::rules::derive::takes_from_holdings;
use crate::rules::unchanged::is_unchanged;
use crate::rules::{defaults, derive_item, hrid, notes, order};

/// Stores a new item; returns its id and the stored JSON.
///
/// # Errors
/// When it does not fit, its holdings or another record it names do not exist, or its barcode or
/// human-readable id is taken.
#[boxed]
pub async fn create_item(context: &Context<'_>, document: Value) -> Result<(Uuid, Bytes), Refusal> {
    // Errors of the document are reported before a transaction begins.
    let item = prepared(context, document)?;
    let transaction = context.store.database.transaction().await?;
    create_prepared(&transaction, &Last(&transaction), context, item).await
}

/// The same inside a transaction.
///
/// # Errors
/// As [`create_item`].
#[boxed]
pub async fn create_with(
    transaction: &Transaction,
    context: &Context<'_>,
    document: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    let item = prepared(context, document)?;
    create_prepared(transaction, transaction, context, item).await
}

async fn create_prepared(
    transaction: &Transaction,
    executor: &dyn Executor,
    context: &Context<'_>,
    mut item: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let shelves = context.collection("holdings_record");
    let holdings_id = id_in(&item, "holdingsRecordId");
    let id = holdings_id.ok_or_else(|| Refusal::without_holdings(None))?;
    let holdings = fetch_shared(transaction, tenant, shelves, id).await?;
    let holdings = holdings.ok_or_else(|| missing_holdings(&item, id))?;
    derive_item(&mut item, &holdings, None, &context.now());
    let collection = context.collection("item");
    let id = id_in(&item, "id").unwrap_or_else(new_id);
    let inserted = insert(executor, tenant, collection, object_of(id, item), stamp).await;
    inserted.map_err(|error| statistical_codes::refusal_of(error, "item", id))
}

/// Replaces an item; an unchanged one is not written.
///
/// # Errors
/// As [`create_item`], and when there is no such item, of a version conflict, its human-readable id
/// would change, or the guard refuses.
#[boxed]
pub async fn replace_item(
    context: &Context<'_>,
    id: Uuid,
    document: Value,
    guard: Guard,
) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    replace_with(&transaction, context, id, document, guard).await?;
    transaction.commit().await?;
    Ok(())
}

/// The same, as part of a transaction.
#[boxed]
pub async fn replace_with(
    transaction: &Transaction,
    context: &Context<'_>,
    id: Uuid,
    document: Value,
    guard: Guard,
) -> Result<(), Refusal> {
    // Items that orders made name their line.
    if document.get(OF_LINE).is_some() {
        following::hold(transaction, context, Movable::Items(&[id])).await?;
    }
    let moved = replace_alone(transaction, context, id, document, guard).await?;
    following::items(transaction, context, moved.as_slice()).await?;
    Ok(())
}

/// The property of an item that orders made.
const OF_LINE: &str = "purchaseOrderLineIdentifier";

/// The same, followed by nobody, for an act that lets its own records follow. Returns the item if it lies in
/// other holdings now.
#[boxed]
pub async fn replace_alone(
    transaction: &Transaction,
    context: &Context<'_>,
    id: Uuid,
    document: Value,
    guard: Guard,
) -> Result<Option<Value>, Refusal> {
    let mut item = prepared(context, document)?;
    let holdings_id = id_in(&item, "holdingsRecordId").unwrap_or_default();
    let (items, shelves) = (
        context.collection("item"),
        context.collection("holdings_record"),
    );
    // Lock order: holdings before items, as everywhere, so that two transactions cannot deadlock.
    let (holdings, old) = try_join!(
        fetch_shared(transaction, context.tenant, shelves, holdings_id),
        fetch_locked(transaction, context.tenant, items, id),
    )?;
    let old = old.ok_or(super::refusal::NOT_FOUND)?;
    let holdings = holdings
        .ok_or_else(|| Refusal::Forbidden(format!("holdingsRecordId not found: {holdings_id}")))?;
    guard(&item, &old)?;
    if let Some(sentence) = hrid::refuse_change(&item, &old) {
        return Err(Refusal::Forbidden(sentence));
    }
    derive_item(&mut item, &holdings, Some(&old), &context.now());
    if is_unchanged(&item, &old) {
        return Ok(None);
    }
    let (tenant, item, stamp) = (context.tenant, object_of(id, item), &context.stamp);
    let replaced = replace(transaction, tenant, items, id, &item, stamp).await;
    replaced.map_err(|error| statistical_codes::refusal_of(error, "item", id))?;
    let is_moved = id_in(&old, "holdingsRecordId") != Some(holdings_id);
    Ok(is_moved.then_some(Value::Object(item)))
}

/// Replaces some properties of an item, which must still have the `_version` of the patch.
#[boxed]
pub async fn patch_item(
    context: &Context<'_>,
    id: Uuid,
    changes: &Value,
    guard: Guard,
) -> Result<(), Refusal> {
    let item = patched(context, "item", id, changes).await?;
    replace_item(context, id, item, guard).await
}

/// The refusal of an item without holdings. FOLIO detects it when it reads the holdings for derived
/// properties, else by the foreign key; the messages differ.
pub(super) fn missing_holdings(item: &Value, id: Uuid) -> Refusal {
    if takes_from_holdings(item) {
        return Refusal::without_holdings(Some(id));
    }
    Refusal::Store(StoreError::MissingReference {
        status: 422,
        message: format!(
            "Cannot set item.holdingsrecordid = {id} because it does not exist in holdings_record.id."
        ),
        field: "item.holdingsrecordid".to_owned(),
        value: id.to_string(),
    })
}

/// Refuses an `order` that FOLIO's clients cannot parse.
pub(super) fn check_order(item: &Value) -> Result<(), Refusal> {
    match order::refused(item) {
        Some(place) => Err(Refusal::property(
            "must be a whole number from -2147483648 to 2147483647",
            "order",
            place.to_string(),
        )),
        None => Ok(()),
    }
}

fn prepared(context: &Context<'_>, document: Value) -> Result<Value, Refusal> {
    let mut item = checked(context.collection("item"), document)?;
    check_order(&item)?;
    complete(&mut item);
    Ok(item)
}

/// Sets defaults and derived properties.
pub(super) fn complete(item: &mut Value) {
    if let Value::Object(item) = item {
        defaults::of_item(item);
    }
    notes::identify_circulation_notes(item, Uuid::new_v4);
}
