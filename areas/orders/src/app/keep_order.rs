//! The record of an order, without its lines. The number of its next line is the server's alone.

use bytes::Bytes;
use futures_util::try_join;
use octavo_boxed::boxed;
use octavo_records::store::{delete, fetch_locked, insert, replace};
use octavo_records::{Context, Executor, Last, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::{Work, checked_with, custom_fields};
use crate::rules::doc::{Doc, at, object, set, set_or_clear, whole};
use crate::rules::{completed, numbers, patterns};
use crate::store::lines::{Held, of_orders};
use crate::store::numbers::keep_next_line_number;
use crate::store::usage::untie_invoices;

/// The table of orders.
pub const TABLE: &str = "purchase_order";

/// Stores a new order; returns it as it is stored.
///
/// # Errors
/// When the number is taken.
#[boxed]
pub async fn insert_order(
    context: &Context<'_>,
    executor: &dyn Executor,
    mut order: Doc,
) -> Result<Doc, StoreError> {
    completed::order(&mut order);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let collection = context.collection(TABLE);
    let (_, stored) = insert(executor, tenant, collection, order, stamp).await?;
    Ok(object(serde_json::from_slice(&stored)?))
}

/// An order, locked until the transaction ends.
#[boxed]
pub async fn hold(work: Work<'_>, id: Uuid) -> Result<Option<Doc>, StoreError> {
    let context = work.context;
    let collection = context.collection(TABLE);
    let found = fetch_locked(work.transaction, context.tenant, collection, id).await?;
    Ok(found.map(object))
}

/// An order and its lines in the order of their numbers, locked until the transaction ends: the order first,
/// as everywhere.
#[boxed]
pub async fn hold_whole(work: Work<'_>, id: Uuid) -> Result<(Option<Doc>, Vec<Doc>), StoreError> {
    let (transaction, tables, ids) = (work.transaction, work.context.tables(), [id]);
    try_join!(
        hold(work, id),
        of_orders(transaction, tables, &ids, Held::Yes)
    )
}

/// Writes an order that is locked.
///
/// # Errors
/// When the number is taken.
#[boxed]
pub async fn write(work: Work<'_>, id: Uuid, order: Doc) -> Result<(), StoreError> {
    write_on(work.transaction, work.context, id, order).await?;
    Ok(())
}

/// The same by another executor; returns the order as it is stored.
///
/// # Errors
/// As [`write`].
#[boxed]
pub async fn write_on(
    executor: &dyn Executor,
    context: &Context<'_>,
    id: Uuid,
    mut order: Doc,
) -> Result<Doc, StoreError> {
    completed::order(&mut order);
    set(&mut order, "id", id.to_string());
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let collection = context.collection(TABLE);
    let written = replace(executor, tenant, collection, id, &order, stamp).await?;
    Ok(object(serde_json::from_slice(&written.new)?))
}

/// Creates an order as the storage does.
///
/// # Errors
/// When it does not fit, or its number is taken.
#[boxed]
pub async fn create(context: &Context<'_>, document: Value) -> Result<(Uuid, Bytes), StoreError> {
    let mut order = checked_with(context, TABLE, document, patterns::of_order)?;
    completed::order(&mut order);
    set(&mut order, "nextPolNumber", 1);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let database = &context.store.database;
    if !custom_fields::has_values(&order) {
        return insert(database, tenant, context.collection(TABLE), order, stamp).await;
    }
    let transaction = database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let fields = custom_fields::hold(work, Some(&order), &[]).await?;
    fields.check(Some(&order), &[])?;
    let last = Last(&transaction);
    insert(&last, tenant, context.collection(TABLE), order, stamp).await
}

/// Replaces an order as the storage does.
///
/// # Errors
/// When there is none, it does not fit, or its number is taken.
#[boxed]
pub async fn change(context: &Context<'_>, id: Uuid, document: Value) -> Result<(), StoreError> {
    let mut order = checked_with(context, TABLE, document, patterns::of_order)?;
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let fields = custom_fields::hold(work, Some(&order), &[]).await?;
    let old = hold(work, id).await?.ok_or(StoreError::NotFound)?;
    fields.check(Some(&order), &[])?;
    let next = at(&old, "nextPolNumber").cloned();
    set_or_clear(&mut order, "nextPolNumber", next);
    write(work, id, order).await?;
    transaction.commit().await?;
    Ok(())
}

/// Deletes an order with what ties it to invoices.
///
/// # Errors
/// When there is none, or it has lines.
#[boxed]
pub async fn remove(context: &Context<'_>, id: Uuid) -> Result<(), StoreError> {
    let transaction = context.store.database.transaction().await?;
    untie_invoices(&transaction, context.tables(), id).await?;
    let last = Last(&transaction);
    delete(&last, context.tenant, context.collection(TABLE), id).await
}

/// Takes numbers for new lines of an order.
///
/// # Errors
/// When there is none.
#[boxed]
pub async fn take_line_numbers(
    context: &Context<'_>,
    id: Uuid,
    wanted: i64,
) -> Result<Vec<i64>, StoreError> {
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let mut order = hold(work, id).await?.ok_or(StoreError::NotFound)?;
    let first = next_line_numbers(work, &mut order, id, wanted).await?;
    keep_next_number(&Last(&transaction), context, id, &order).await?;
    Ok((first..first + wanted).collect())
}

/// Keeps the numbers that were taken from an order that is locked.
#[boxed]
pub async fn keep_next_number(
    executor: &dyn Executor,
    context: &Context<'_>,
    id: Uuid,
    order: &Doc,
) -> Result<(), StoreError> {
    let next = whole(order, "nextPolNumber").unwrap_or(1);
    keep_next_line_number(executor, context.tables(), id, next).await
}

/// The first of the numbers for new lines, taken from an order that is locked and will be written.
#[boxed]
pub async fn next_line_numbers(
    work: Work<'_>,
    order: &mut Doc,
    id: Uuid,
    wanted: i64,
) -> Result<i64, StoreError> {
    let lines = match at(order, "nextPolNumber") {
        Some(_) => Vec::new(),
        None => {
            let tables = work.context.tables();
            of_orders(work.transaction, tables, &[id], Held::No).await?
        }
    };
    let used = lines
        .iter()
        .filter_map(|line| crate::rules::doc::text(line, "poLineNumber"));
    Ok(numbers::take(order, used, wanted))
}
