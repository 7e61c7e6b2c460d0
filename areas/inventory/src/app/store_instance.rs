//! Storing one instance.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, insert, replace};
use octavo_records::{Executor, new_id};
use serde_json::Value;
use uuid::Uuid;

use super::{Context, Guard, Refusal, checked, id_in, object_of, patched, statistical_codes};
use crate::rules::unchanged::is_unchanged;
use crate::rules::{defaults, derive_instance, hrid};

/// Stores a new instance; returns its id and the stored JSON.
///
/// # Errors
/// When it does not fit, or names a record that does not exist, or its human-readable id or match key is
/// taken.
#[boxed]
pub async fn create_instance(
    context: &Context<'_>,
    document: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    create_with(&context.store.database, context, document).await
}

/// The same inside a transaction.
///
/// # Errors
/// As [`create_instance`].
#[boxed]
pub async fn create_with(
    executor: &dyn Executor,
    context: &Context<'_>,
    document: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    let collection = context.collection("instance");
    let mut instance = checked(collection, document)?;
    complete(&mut instance, None, &context.now());
    let id = id_in(&instance, "id").unwrap_or_else(new_id);
    let document = object_of(id, instance);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let inserted = insert(executor, tenant, collection, document, stamp).await;
    inserted.map_err(|error| statistical_codes::refusal_of(error, "instance", id))
}

/// Replaces an instance; an unchanged one is not written.
///
/// # Errors
/// As [`create_instance`], and when there is no such instance, of a version conflict, or its
/// human-readable id would change.
#[boxed]
pub async fn replace_instance(
    context: &Context<'_>,
    id: Uuid,
    document: Value,
) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    replace_with(&transaction, context, id, document, super::unguarded).await?;
    transaction.commit().await?;
    Ok(())
}

/// The same inside a transaction and with an additional rule; returns the previous instance.
///
/// # Errors
/// As [`replace_instance`], and when the guard refuses.
#[boxed]
pub async fn replace_with(
    transaction: &Transaction,
    context: &Context<'_>,
    id: Uuid,
    document: Value,
    guard: Guard,
) -> Result<Value, Refusal> {
    let collection = context.collection("instance");
    let mut instance = checked(collection, document)?;
    let old = fetch_locked(transaction, context.tenant, collection, id).await?;
    let old = old.ok_or(super::refusal::NOT_FOUND)?;
    complete(&mut instance, Some(&old), &context.now());
    guard(&instance, &old)?;
    if let Some(sentence) = hrid::refuse_change(&instance, &old)
        && !is_shared(&instance)
    {
        return Err(Refusal::Forbidden(sentence));
    }
    if is_unchanged(&instance, &old) {
        return Ok(old);
    }
    let document = object_of(id, instance);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace(transaction, tenant, collection, id, &document, stamp)
        .await
        .map_err(|error| statistical_codes::refusal_of(error, "instance", id))?;
    Ok(old)
}

/// Replaces some properties of an instance, which must still have the patch's `_version`.
///
/// # Errors
/// As [`replace_instance`].
#[boxed]
pub async fn patch_instance(
    context: &Context<'_>,
    id: Uuid,
    changes: &Value,
) -> Result<(), Refusal> {
    let instance = patched(context, "instance", id, changes).await?;
    replace_instance(context, id, instance).await
}

/// Whether an instance is a shadow of one that a consortium shares: its human-readable id follows
/// that one's.
fn is_shared(instance: &Value) -> bool {
    let source = instance.get("source").and_then(Value::as_str);
    source.is_some_and(|source| source.starts_with("CONSORTIUM-"))
}

/// Sets defaults and derived properties.
pub(super) fn complete(instance: &mut Value, previous: Option<&Value>, now: &str) {
    if let Value::Object(instance) = instance {
        defaults::of_instance(instance);
    }
    derive_instance(instance, previous, now);
}
