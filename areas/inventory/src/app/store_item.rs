//! Storing one item: its location, call number and shelving order follow from its holdings, which
//! are held while it is stored, so that a change of theirs comes wholly before or wholly after.

use bytes::Bytes;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, fetch_shared, insert, replace};
use octavo_records::{Executor, Last};
use serde_json::Value;
use tokio::try_join;
use uuid::Uuid;

use super::{Context, Guard, Refusal, checked, id_in, object, object_of, patched};
use super::{change_setting, number_items};
use crate::rules::{defaults, derive_item, hrid, notes, order};

/// Stores a new item; gives its id and the stored JSON.
///
/// # Errors
/// When it does not fit, its holdings or another record it names do not exist, or its barcode or
/// human-readable id is taken.
pub async fn create_item(context: &Context<'_>, document: Value) -> Result<(Uuid, Bytes), Refusal> {
    // What is wrong with the document is told without a transaction.
    let item = prepared(context, document)?;
    let transaction = context.store.database.transaction().await?;
    create_prepared(&transaction, &Last(&transaction), context, item).await
}

/// The same, as part of a transaction.
///
/// # Errors
/// As [`create_item`].
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
    executor: &impl Executor,
    context: &Context<'_>,
    mut item: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    let holdings_id = id_in(&item, "holdingsRecordId");
    let id = holdings_id.ok_or_else(|| Refusal::without_holdings(None))?;
    let holdings = number_items::place(transaction, context.tenant, id, &mut item).await?;
    let holdings = holdings.ok_or_else(|| Refusal::without_holdings(holdings_id))?;
    derive_item(&mut item, &holdings, None, &context.now());
    let collection = context.collection("item");
    let (tenant, stamp) = (context.tenant, &context.stamp);
    Ok(insert(executor, tenant, collection, object(item), stamp).await?)
}

/// Replaces an item.
///
/// # Errors
/// As [`create_item`], and when there is no such item, it has changed since `_version`, its
/// human-readable id would change, or the guard refuses.
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
///
/// # Errors
/// As [`replace_item`].
pub async fn replace_with(
    transaction: &Transaction,
    context: &Context<'_>,
    id: Uuid,
    document: Value,
    guard: Guard,
) -> Result<(), Refusal> {
    let mut item = prepared(context, document)?;
    let holdings_id = id_in(&item, "holdingsRecordId").unwrap_or_default();
    let (items, shelves) = (
        context.collection("item"),
        context.collection("holdings_record"),
    );
    // Holdings before items, here as everywhere: two who need both never wait for each other.
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
    order::keep(&mut item, &old);
    if change_setting::is_idle(transaction, context, &item, &old).await? {
        return Ok(());
    }
    if needs_place(&item, Some(&old)) {
        number_items::renumber_all(transaction, context.tenant, vec![&mut item]).await?;
    }
    let item = object_of(id, item);
    replace(
        transaction,
        context.tenant,
        items,
        id,
        &item,
        &context.stamp,
    )
    .await?;
    Ok(())
}

/// Replaces some properties of an item, which must still have the `_version` of the patch.
///
/// # Errors
/// As [`replace_item`].
pub async fn patch_item(
    context: &Context<'_>,
    id: Uuid,
    changes: &Value,
    guard: Guard,
) -> Result<(), Refusal> {
    let item = patched(context, "item", id, changes).await?;
    replace_item(context, id, item, guard).await
}

/// Whether an item comes to a place within its holdings that it did not have.
pub(super) fn needs_place(item: &Value, old: Option<&Value>) -> bool {
    let same = |old: &Value| {
        item.get("holdingsRecordId") == old.get("holdingsRecordId")
            && order::given(item) == order::given(old)
            && order::given(item).is_some()
    };
    !old.is_some_and(same)
}

fn prepared(context: &Context<'_>, document: Value) -> Result<Value, Refusal> {
    let mut item = checked(context.collection("item"), document)?;
    number_items::check(&item)?;
    complete(&mut item);
    Ok(item)
}

/// What every item gets, whoever stores it.
pub(super) fn complete(item: &mut Value) {
    if let Value::Object(item) = item {
        defaults::of_item(item);
    }
    notes::identify_circulation_notes(item, Uuid::new_v4);
}
