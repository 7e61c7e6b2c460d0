//! The record of a line with its titles: a line that is no package has one title, which follows it, and
//! takes its titles and pieces along when it is deleted.

use std::collections::{HashMap, HashSet};

use bytes::Bytes;
use futures_util::try_join;
use octavo_boxed::boxed;
use octavo_records::store::{
    Locking, delete_many, delete_referring, fetch, fetch_locked, insert, insert_many, replace,
    replace_many,
};
use octavo_records::{Collection, Context, Executor, Last, StoreError, new_id};
use serde_json::Value;
use uuid::Uuid;

use super::{Work, checked_with, custom_fields};
use crate::rules::doc::{Doc, flag, id as id_at, object, set};
use crate::rules::line::Line;
use crate::rules::{completed, patterns, title};
use crate::store::lines::{Held, by_ids};
use crate::store::titles::of_lines;

/// The table of lines.
pub const TABLE: &str = "po_line";

/// Stores a new line with its title, for its order, the last of them by `ending`; returns the line's id and
/// the stored JSON.
///
/// # Errors
/// When there is no such order.
#[boxed]
pub async fn insert_line(
    work: Work<'_>,
    ending: &dyn Executor,
    mut line: Doc,
    order: Option<&Doc>,
) -> Result<(Uuid, Bytes), StoreError> {
    completed::line(&mut line);
    let context = work.context;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let lines = context.collection(TABLE);
    if flag(&line, "isPackage") {
        return insert(ending, tenant, lines, line, stamp).await;
    }
    let id = id_at(&line, "id").unwrap_or_else(new_id);
    set(&mut line, "id", id.to_string());
    let title = title::of_line(&line, order);
    let titles = context.collection("titles");
    let (stored, _) = try_join!(
        insert(work.transaction, tenant, lines, line, stamp),
        insert(ending, tenant, titles, title, stamp),
    )?;
    Ok(stored)
}

/// The same for several lines of one order, in one statement for each table.
///
/// # Errors
/// When an id is taken.
#[boxed]
pub async fn insert_lines(
    work: Work<'_>,
    ending: &dyn Executor,
    mut lines: Vec<Doc>,
    order: &Doc,
) -> Result<Vec<Doc>, StoreError> {
    let context = work.context;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let (of_lines, of_titles) = (context.collection(TABLE), context.collection("titles"));
    let mut titles = Vec::new();
    for line in &mut lines {
        completed::line(line);
        stamp.complete(of_lines, line);
        if !flag(line, "isPackage") {
            titles.push(title::of_line(line, Some(order)));
        }
    }
    let stored = lines.clone();
    let inserted = match titles.is_empty() {
        true => insert_many(ending, tenant, of_lines, lines, stamp).await,
        false => try_join!(
            insert_many(work.transaction, tenant, of_lines, lines, stamp),
            insert_many(ending, tenant, of_titles, titles, stamp),
        )
        .map(|(lines, _)| lines),
    };
    inserted.map_err(|error| as_of_one(error, of_lines))?;
    Ok(stored)
}

/// A conflict in a batch has the status of a single record's: clients do not see that lines are stored together.
fn as_of_one(error: StoreError, collection: &Collection) -> StoreError {
    let mut error = error;
    if let StoreError::Duplicate { status, .. } | StoreError::MissingReference { status, .. } =
        &mut error
    {
        *status = collection.conflict_status;
    }
    error
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
    set(&mut line, "id", id.to_string());
    write_many(work, vec![line]).await
}

/// Writes lines that are locked, each once, and lets their titles follow: a few statements, however many
/// lines there are.
#[boxed]
pub async fn write_many(work: Work<'_>, lines: Vec<Doc>) -> Result<(), StoreError> {
    if lines.is_empty() {
        return Ok(());
    }
    let lines = complete_all(lines);
    let ids: Vec<Uuid> = lines.iter().map(|(id, _)| *id).collect();
    let context = work.context;
    let (_, titles) = try_join!(
        replace_lines(work, &lines),
        of_lines(work.transaction, context.tables(), &ids, Held::Yes)
    )?;
    let changed = followed(titles, &lines);
    let (titles, stamp) = (context.collection("titles"), &context.stamp);
    let locking = Locking::Declared;
    replace_many(
        work.transaction,
        context.tenant,
        titles,
        &changed,
        stamp,
        locking,
    )
    .await
}

/// The same for changes of money alone, which no title shows.
#[boxed]
pub async fn write_money(work: Work<'_>, lines: Vec<Doc>) -> Result<(), StoreError> {
    replace_lines(work, &complete_all(lines)).await
}

fn complete_all(lines: Vec<Doc>) -> Vec<(Uuid, Doc)> {
    let lines = lines.into_iter().map(|mut line| {
        completed::line(&mut line);
        (Line(&line).id(), line)
    });
    lines.collect()
}

async fn replace_lines(work: Work<'_>, lines: &[(Uuid, Doc)]) -> Result<(), StoreError> {
    let context = work.context;
    let (transaction, tenant, stamp) = (work.transaction, context.tenant, &context.stamp);
    let (table, locking) = (context.collection(TABLE), Locking::Declared);
    match lines {
        [] => Ok(()),
        [(id, line)] => replace(transaction, tenant, table, *id, line, stamp)
            .await
            .map(|_| ()),
        several => replace_many(transaction, tenant, table, several, stamp, locking)
            .await
            .map_err(|error| as_of_one(error, table)),
    }
}

/// Writes a line that is locked with its titles, and ends with that.
#[boxed]
pub async fn write_last(
    work: Work<'_>,
    ending: &dyn Executor,
    mut line: Doc,
    titles: Vec<Doc>,
) -> Result<(), StoreError> {
    completed::line(&mut line);
    let context = work.context;
    let (transaction, tenant, stamp) = (work.transaction, context.tenant, &context.stamp);
    let id = Line(&line).id();
    let lines = [(id, line)];
    let changed = followed(titles, &lines);
    let [(_, line)] = &lines;
    let titles = context.collection("titles");
    try_join!(
        replace_many(
            transaction,
            tenant,
            titles,
            &changed,
            stamp,
            Locking::Declared
        ),
        replace(ending, tenant, context.collection(TABLE), id, line, stamp),
    )?;
    Ok(())
}

/// The titles that change with their lines.
fn followed(titles: Vec<Doc>, lines: &[(Uuid, Doc)]) -> Vec<(Uuid, Doc)> {
    let by_id: HashMap<Uuid, &Doc> = lines.iter().map(|(id, line)| (*id, line)).collect();
    let changed = titles.into_iter().filter_map(|old| {
        let line = by_id.get(&id_at(&old, "poLineId")?)?;
        let mut new = old.clone();
        title::follow(&mut new, line);
        (new != old).then_some((id_at(&old, "id")?, new))
    });
    changed.collect()
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
    let last = Last(&transaction);
    insert_line(work, &last, line, order.map(object).as_ref()).await
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
    let ids: Vec<Uuid> = lines.iter().map(|(id, _)| *id).collect();
    let held = by_ids(&transaction, context.tables(), &ids, Held::Yes).await?;
    let known: HashSet<Uuid> = held.iter().map(|line| Line(line).id()).collect();
    let mut written: Vec<Doc> = Vec::with_capacity(lines.len());
    for (id, mut line) in lines {
        if !known.contains(&id) {
            return Err(StoreError::NotFound);
        }
        set(&mut line, "id", id.to_string());
        // Of one line sent twice the last counts; they are sorted by their ids.
        if written.last().is_some_and(|one| Line(one).id() == id) {
            written.pop();
        }
        written.push(line);
    }
    write_many(work, written).await?;
    transaction.commit().await?;
    Ok(())
}

/// Deletes lines that are locked, with their titles and pieces, the lines themselves by `ending`.
///
/// # Errors
/// When there is none, or a routing list refers to one.
#[boxed]
pub async fn delete_lines(
    work: Work<'_>,
    ending: &dyn Executor,
    ids: &[Uuid],
) -> Result<(), StoreError> {
    let context = work.context;
    let (transaction, tenant) = (work.transaction, context.tenant);
    let (pieces, titles) = (context.collection("pieces"), context.collection("titles"));
    // Whoever adds a piece meanwhile is waited for, and then refers to the line, which is refused.
    try_join!(
        delete_referring(transaction, tenant, pieces, "poLineId", ids),
        delete_referring(transaction, tenant, titles, "poLineId", ids),
        delete_many(ending, tenant, context.collection(TABLE), ids),
    )?;
    Ok(())
}

/// Deletes a line as the storage does.
///
/// # Errors
/// As [`delete_lines`].
#[boxed]
pub async fn remove(context: &Context<'_>, id: Uuid) -> Result<(), StoreError> {
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let _held = hold(work, id).await?.ok_or(StoreError::NotFound)?;
    delete_lines(work, &Last(&transaction), &[id]).await
}
