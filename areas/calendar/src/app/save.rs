//! Stores calendars without conflicts. Of two clients whose calendars overlap, the second waits for the
//! first and then sees its calendar.

use bytes::Bytes;
use futures_util::try_join;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::{insert, replace};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Context, Declined, Refusal};
use crate::collections::TABLE;
use crate::record::CalendarRecord;
use crate::rules::validate;
use crate::store;

/// Stores a new calendar under a new id; returns the stored JSON.
///
/// # Errors
/// All its errors and conflicts.
pub async fn create(context: Context<'_>, calendar: &CalendarRecord) -> Result<Bytes, Declined> {
    let transaction = context.store.database.transaction().await?;
    check(context, &transaction, calendar, None).await?;
    let collection = context.collection(TABLE);
    let (_, stored) = insert(
        &transaction,
        context.tenant,
        collection,
        document(calendar)?,
        &context.stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(stored)
}

/// Replaces a calendar; returns the stored JSON.
///
/// # Errors
/// When it does not exist; else all its errors and conflicts.
pub async fn update(
    context: Context<'_>,
    id: Uuid,
    calendar: &CalendarRecord,
) -> Result<Bytes, Declined> {
    let transaction = context.store.database.transaction().await?;
    check(context, &transaction, calendar, Some(id)).await?;
    let mut changed = document(calendar)?;
    changed.insert("id".to_owned(), Value::String(id.to_string()));
    let collection = context.collection(TABLE);
    let stored = replace(
        &transaction,
        context.tenant,
        collection,
        id,
        &changed,
        &context.stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(stored.new)
}

/// Locks the tenant's calendars, then checks this one.
async fn check(
    context: Context<'_>,
    transaction: &Transaction,
    calendar: &CalendarRecord,
    id: Option<Uuid>,
) -> Result<(), Declined> {
    let tables = context.tables();
    // Not pipelined: the statements after it need a snapshot taken when the lock was granted.
    store::hold(transaction, tables).await?;
    let ((stored, known), others) = try_join!(
        store::count(transaction, tables, id),
        store::overlapping(transaction, tables, calendar, id),
    )?;
    if let (Some(id), false) = (id, known) {
        return Err(Refusal::NotFound(vec![id]).into());
    }
    let added = usize::from(id.is_none());
    let problems = validate(calendar, &others, stored.saturating_add(added));
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Refusal::Problems(problems).into())
    }
}

fn document(calendar: &CalendarRecord) -> Result<Map<String, Value>, StoreError> {
    match serde_json::to_value(calendar) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(StoreError::fault("a record is an object")),
        Err(error) => Err(StoreError::fault(error)),
    }
}
