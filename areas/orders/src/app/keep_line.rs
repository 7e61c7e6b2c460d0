//! The record of a line with its titles: a line that is no package has one title, which follows it, and
//! takes its titles and pieces along when it is deleted.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_records::store::{Locking, delete, fetch, fetch_locked, insert, replace, replace_many};
use octavo_records::{Context, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::{Work, checked_with, custom_fields};
use crate::rules::doc::{Doc, flag, id as id_at, object, set};
use crate::rules::{completed, patterns, title};
use crate::store::lines::Held;
use crate::store::pieces::ids_of_line;
use crate::store::titles::of_lines;

/// The table of lines.
pub const TABLE: &str = "po_line";

/// Stores a new line with its title, for its order; returns the line's id and the stored JSON.
///
/// # Errors
/// When there is no such order.
#[boxed]
pub async fn insert_line(
    work: Work<'_>,
    mut line: Doc,
    order: Option<&Doc>,
) -> Result<(Uuid, Bytes), StoreError> {
    completed::line(&mut line);
    let context = work.context;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let package = flag(&line, "isPackage");
    let lines = context.collection(TABLE);
    let (id, stored) = insert(work.transaction, tenant, lines, line.clone(), stamp).await?;
    if !package {
        set(&mut line, "id", id.to_string());
        let title = title::of_line(&line, order);
        let titles = context.collection("titles");
        insert(work.transaction, tenant, titles, title, stamp).await?;
    }
    Ok((id, stored))
}

/// A line, locked until the transaction ends.
#[boxed]
pub async fn hold(work: Work<'_>, id: Uuid) -> Result<Option<Doc>, StoreError> {
    let context = work.context;
    let collection = context.collection(TABLE);
    let found = fetch_locked(work.transaction, context.tenant, collection, id).await?;
    Ok(found.map(object))
}

/// Writes a line that is locked, and lets its titles follow.
#[boxed]
pub async fn write(work: Work<'_>, id: Uuid, mut line: Doc) -> Result<(), StoreError> {
    completed::line(&mut line);
    set(&mut line, "id", id.to_string());
    let context = work.context;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let collection = context.collection(TABLE);
    replace(work.transaction, tenant, collection, id, &line, stamp).await?;
    let titles = of_lines(work.transaction, context.tables(), &[id], Held::Yes).await?;
    let changed: Vec<(Uuid, Doc)> = titles
        .into_iter()
        .filter_map(|old| {
            let mut new = old.clone();
            title::follow(&mut new, &line);
            (new != old).then_some((id_at(&old, "id")?, new))
        })
        .collect();
    let titles = context.collection("titles");
    let locking = Locking::Declared;
    replace_many(work.transaction, tenant, titles, &changed, stamp, locking).await
}

/// Creates a line as the storage does.
///
/// # Errors
/// When it does not fit, or there is no such order.
#[boxed]
pub async fn create(context: &Context<'_>, document: Value) -> Result<(Uuid, Bytes), StoreError> {
    let line = checked_with(context, TABLE, document, |line| patterns::of_line(line, ""))?;
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let fields = custom_fields::hold(work, None, std::slice::from_ref(&line)).await?;
    fields.check(None, std::slice::from_ref(&line))?;
    let orders = context.collection(super::keep_order::TABLE);
    let order = match id_at(&line, "purchaseOrderId") {
        Some(id) => fetch(&transaction, context.tenant, orders, id).await?,
        None => None,
    };
    let created = insert_line(work, line, order.map(object).as_ref()).await?;
    transaction.commit().await?;
    Ok(created)
}

/// Replaces lines as the storage does, in one transaction.
///
/// # Errors
/// When one of them is missing or does not fit.
#[boxed]
pub async fn change(
    context: &Context<'_>,
    documents: Vec<(Uuid, Value)>,
) -> Result<(), StoreError> {
    let mut lines = Vec::with_capacity(documents.len());
    for (id, document) in documents {
        let line = checked_with(context, TABLE, document, |line| patterns::of_line(line, ""))?;
        lines.push((id, line));
    }
    // In the order of ids, so that two batches cannot deadlock.
    lines.sort_by_key(|(id, _)| *id);
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let sent: Vec<Doc> = lines.iter().map(|(_, line)| line.clone()).collect();
    let fields = custom_fields::hold(work, None, &sent).await?;
    fields.check(None, &sent)?;
    for (id, line) in lines {
        let _held = hold(work, id).await?.ok_or(StoreError::NotFound)?;
        write(work, id, line).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Deletes a line with its titles and pieces.
///
/// # Errors
/// When there is none, or a routing list refers to it.
#[boxed]
pub async fn delete_line(work: Work<'_>, id: Uuid) -> Result<(), StoreError> {
    let context = work.context;
    let (transaction, tenant) = (work.transaction, context.tenant);
    let _held = hold(work, id).await?.ok_or(StoreError::NotFound)?;
    for piece in ids_of_line(transaction, context.tables(), id).await? {
        delete(transaction, tenant, context.collection("pieces"), piece).await?;
    }
    let titles = of_lines(transaction, context.tables(), &[id], Held::Yes).await?;
    for title in titles.iter().filter_map(|title| id_at(title, "id")) {
        delete(transaction, tenant, context.collection("titles"), title).await?;
    }
    delete(transaction, tenant, context.collection(TABLE), id).await
}

/// Deletes a line as the storage does.
///
/// # Errors
/// As [`delete_line`].
#[boxed]
pub async fn remove(context: &Context<'_>, id: Uuid) -> Result<(), StoreError> {
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    delete_line(work, id).await?;
    transaction.commit().await?;
    Ok(())
}
