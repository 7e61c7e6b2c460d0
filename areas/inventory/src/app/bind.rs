//! Bound-with items: creates and replaces single parts, or all parts of an item.

use std::collections::HashSet;

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{Hold, delete, fetch_locked, fetch_many, insert, insert_many, replace};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Context, Refusal, Wrong, checked, id_in, object, object_of};
use crate::rules::bound_with;
use crate::store::bound_with::parts_of;

const TABLE: &str = "bound_with_part";

/// Maximal number of holdings records bound by one item.
const PARTS_MAX: usize = 10_000;

/// An item and the holdings that it is to be bound with.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Binding {
    item_id: Uuid,
    bound_with_contents: Vec<Content>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Content {
    holdings_record_id: Uuid,
}

/// Sets the parts of an item, its own holdings included.
///
/// # Errors
/// When the item or one of the holdings does not exist: all missing ones are reported.
#[boxed]
pub async fn bind(context: &Context<'_>, binding: Binding) -> Result<(), Refusal> {
    let contents = &binding.bound_with_contents;
    if contents.len() > PARTS_MAX {
        return Err(Refusal::TooMany {
            most: PARTS_MAX,
            sent: contents.len(),
        });
    }
    let wanted: Vec<Uuid> = contents.iter().map(|one| one.holdings_record_id).collect();
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let transaction = context.store.database.transaction().await?;
    // Lock order: holdings before items, as everywhere, so that two transactions cannot deadlock.
    let shelves = context.collection("holdings_record");
    let holdings = fetch_many(&transaction, tenant, shelves, &wanted, Hold::Shared).await?;
    let items = context.collection("item");
    let item = fetch_locked(&transaction, tenant, items, binding.item_id).await?;
    let main = item.as_ref().and_then(|it| id_in(it, "holdingsRecordId"));
    let mut wrong = Vec::new();
    if main.is_none() {
        wrong.push(not_found(
            "item.not-found",
            "Item not found.",
            "itemId",
            binding.item_id,
        ));
    }
    let mut told = HashSet::new();
    for id in &wanted {
        if !holdings.contains_key(id) && told.insert(*id) {
            wrong.push(not_found(
                "holding.not-found",
                "Holdings record not found.",
                "holdingsRecordId",
                *id,
            ));
        }
    }
    let (Some(main), true) = (main, wrong.is_empty()) else {
        return Err(Refusal::Listed(wrong));
    };
    let parts = parts_of(&transaction, tenant, binding.item_id).await?;
    let changes = bound_with::changes(main, &wanted, &parts);
    let collection = context.collection(TABLE);
    for part in changes.gone {
        delete(&transaction, tenant, collection, part).await?;
    }
    let new = changes
        .new
        .into_iter()
        .map(|holdings| part(binding.item_id, holdings))
        .collect();
    insert_many(&transaction, tenant, collection, new, stamp).await?;
    transaction.commit().await?;
    Ok(())
}

/// Stores a new part; returns its id and the stored JSON.
///
/// # Errors
/// When it does not fit, its item or holdings do not exist, they are bound already, or the item would be
/// bound with its own holdings alone.
#[boxed]
pub async fn create_part(context: &Context<'_>, document: Value) -> Result<(Uuid, Bytes), Refusal> {
    let collection = context.collection(TABLE);
    let part = checked(collection, document)?;
    let transaction = context.store.database.transaction().await?;
    refuse_alone(&transaction, context, &part, None).await?;
    let created = insert(
        &transaction,
        context.tenant,
        collection,
        object(part),
        &context.stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(created)
}

/// Replaces a part.
///
/// # Errors
/// As [`create_part`], and when there is no such part.
#[boxed]
pub async fn replace_part(context: &Context<'_>, id: Uuid, document: Value) -> Result<(), Refusal> {
    let collection = context.collection(TABLE);
    let part = checked(collection, document)?;
    let transaction = context.store.database.transaction().await?;
    refuse_alone(&transaction, context, &part, Some(id)).await?;
    let part = object_of(id, part);
    replace(
        &transaction,
        context.tenant,
        collection,
        id,
        &part,
        &context.stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(())
}

/// Refuses the part of an item's own holdings when no other title is bound into the item. The item is
/// locked, so that a concurrent [`bind`] cannot remove the other part.
async fn refuse_alone(
    transaction: &Transaction,
    context: &Context<'_>,
    part: &Value,
    replaced: Option<Uuid>,
) -> Result<(), Refusal> {
    let (Some(item_id), Some(holdings)) = (id_in(part, "itemId"), id_in(part, "holdingsRecordId"))
    else {
        return Ok(());
    };
    let items = context.collection("item");
    let item = fetch_locked(transaction, context.tenant, items, item_id).await?;
    // The foreign key refuses an item that does not exist.
    if item.and_then(|item| id_in(&item, "holdingsRecordId")) != Some(holdings) {
        return Ok(());
    }
    let parts = parts_of(transaction, context.tenant, item_id).await?;
    let others = parts
        .iter()
        .any(|(id, of)| Some(*id) != replaced && *of != holdings);
    if others {
        return Ok(());
    }
    Err(Refusal::property(
        "An item is not bound with its own holdings alone: add the part of another title first",
        "holdingsRecordId",
        holdings.to_string(),
    ))
}

fn part(item: Uuid, holdings: Uuid) -> Map<String, Value> {
    object(json!({"itemId": item, "holdingsRecordId": holdings}))
}

fn not_found(code: &'static str, message: &str, key: &str, id: Uuid) -> Wrong {
    Wrong {
        code,
        message: message.to_owned(),
        about: vec![(key.to_owned(), Some(id.to_string()))],
    }
}
