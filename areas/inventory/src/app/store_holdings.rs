//! Storing one holdings record; updates its items in the same transaction.

use std::collections::HashMap;

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::Executor;
use octavo_records::store::{fetch_locked, insert, replace};
use serde_json::Value;
use uuid::Uuid;

use super::follow_holdings::follow_holdings;
use super::{Context, Guard, Refusal, Wrong, checked, following, object, object_of, patched};
use crate::followers::Movable;
use crate::rules::derive::items_follow;
use crate::rules::unchanged::is_unchanged;
use crate::rules::{defaults, derive_holdings, hrid, patch};

/// Stores a new holdings record; returns its id and the stored JSON.
///
/// # Errors
/// When it does not fit, or names a record that does not exist, or its human-readable id is taken.
#[boxed]
pub async fn create_holdings(
    context: &Context<'_>,
    document: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    create_with(&context.store.database, context, document).await
}

/// The same inside a transaction.
///
/// # Errors
/// As [`create_holdings`].
#[boxed]
pub async fn create_with(
    executor: &dyn Executor,
    context: &Context<'_>,
    document: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    let holdings = prepared(context, document)?;
    let collection = context.collection("holdings_record");
    Ok(insert(
        executor,
        context.tenant,
        collection,
        object(holdings),
        &context.stamp,
    )
    .await?)
}

/// What happens to a holdings record that does not exist when it is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfMissing {
    /// It is stored, as FOLIO's storage does.
    Store,
    Refuse,
}

/// Replaces a holdings record; an unchanged one is not written.
///
/// # Errors
/// As [`create_holdings`], and when of a version conflict, its human-readable id would change, or the
/// guard refuses.
#[boxed]
pub async fn replace_holdings(
    context: &Context<'_>,
    id: Uuid,
    document: Value,
    if_missing: IfMissing,
    guard: Guard,
) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    replace_with(&transaction, context, id, document, if_missing, guard).await?;
    transaction.commit().await?;
    Ok(())
}

/// The same, as part of a transaction.
///
/// # Errors
/// As [`replace_holdings`].
#[boxed]
pub async fn replace_with(
    transaction: &Transaction,
    context: &Context<'_>,
    id: Uuid,
    document: Value,
    if_missing: IfMissing,
    guard: Guard,
) -> Result<(), Refusal> {
    following::hold(transaction, context, Movable::Holdings(&[id])).await?;
    let changed = replace_alone(transaction, context, id, document, if_missing, guard).await?;
    let changed = changed.iter().map(|(old, new)| (id, old, new));
    following::holdings(transaction, context, changed).await?;
    Ok(())
}

/// The same, followed by nobody but items, for an act that lets its own records follow. Returns the holdings
/// as they were and as they are, if they changed.
#[boxed]
pub async fn replace_alone(
    transaction: &Transaction,
    context: &Context<'_>,
    id: Uuid,
    document: Value,
    if_missing: IfMissing,
    guard: Guard,
) -> Result<Option<(Value, Value)>, Refusal> {
    let holdings = prepared(context, document)?;
    let collection = context.collection("holdings_record");
    let old = fetch_locked(transaction, context.tenant, collection, id).await?;
    let Some(old) = old else {
        if if_missing == IfMissing::Refuse {
            return Err(super::refusal::NOT_FOUND);
        }
        let holdings = object_of(id, holdings);
        insert(
            transaction,
            context.tenant,
            collection,
            holdings,
            &context.stamp,
        )
        .await?;
        return Ok(None);
    };
    guard(&holdings, &old)?;
    if let Some(sentence) = hrid::refuse_change(&holdings, &old) {
        return Err(Refusal::Forbidden(sentence));
    }
    if is_unchanged(&holdings, &old) {
        return Ok(None);
    }
    let document = object_of(id, holdings.clone());
    replace(
        transaction,
        context.tenant,
        collection,
        id,
        &document,
        &context.stamp,
    )
    .await?;
    let now = HashMap::from([(id, holdings)]);
    if now.values().any(|holdings| items_follow(holdings, &old)) {
        follow_holdings(transaction, context, &now).await?;
    }
    Ok(now.into_values().next().map(|holdings| (old, holdings)))
}

/// Replaces some properties of a holdings record, which must still have the patch's `_version`.
///
/// # Errors
/// As [`replace_holdings`], and when there is no such record, or a required property would be removed.
#[boxed]
pub async fn patch_holdings(
    context: &Context<'_>,
    id: Uuid,
    changes: &Value,
) -> Result<(), Refusal> {
    let holdings = patched(context, "holdings_record", id, changes).await?;
    let removed: Vec<Wrong> = patch::removed_from_holdings(changes)
        .into_iter()
        .map(|property| Wrong {
            code: "-1",
            message: format!("'{property}' value cannot be null"),
            about: vec![(property.to_owned(), None)],
        })
        .collect();
    if !removed.is_empty() {
        return Err(Refusal::Listed(removed));
    }
    replace_holdings(context, id, holdings, IfMissing::Refuse, super::unguarded).await
}

fn prepared(context: &Context<'_>, document: Value) -> Result<Value, Refusal> {
    let mut holdings = checked(context.collection("holdings_record"), document)?;
    complete(&mut holdings);
    Ok(holdings)
}

/// Sets defaults and derived properties.
pub(super) fn complete(holdings: &mut Value) {
    if let Value::Object(holdings) = holdings {
        defaults::of_holdings(holdings);
    }
    derive_holdings(holdings);
}
