//! Storing and deleting one service point.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_records::StoreError;
use octavo_records::store::{delete, insert, replace};
use serde_json::Value;
use uuid::Uuid;

use super::{Context, Refusal, checked, object, object_of};
use crate::rules::service_point;
use crate::store::{places, references};

/// Stores a new service point; returns its id and the stored JSON.
///
/// # Errors
/// When it does not fit, its hold shelf period does not match its pickup flag, or its name, code or id
/// is taken.
#[boxed]
pub async fn create_service_point(
    context: &Context<'_>,
    document: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    let collection = context.collection("service_point");
    let point = prepared(context, document)?;
    let name = name_of(&point);
    let database = &context.store.database;
    insert(
        database,
        context.tenant,
        collection,
        object(point),
        &context.stamp,
    )
    .await
    .map_err(|error| match error {
        // FOLIO's message is the same whichever key is taken.
        StoreError::Duplicate { .. } => Refusal::property("Service Point Exists", "name", name),
        other => other.into(),
    })
}

/// Replaces a service point.
///
/// # Errors
/// As [`create_service_point`], and when there is none.
#[boxed]
pub async fn replace_service_point(
    context: &Context<'_>,
    id: Uuid,
    document: Value,
) -> Result<(), Refusal> {
    let collection = context.collection("service_point");
    let point = object_of(id, prepared(context, document)?);
    replace(
        &context.store.database,
        context.tenant,
        collection,
        id,
        &point,
        &context.stamp,
    )
    .await
    .map_err(|error| match error {
        StoreError::NotFound => Refusal::Missing("ServicePoint was not found"),
        other => other.into(),
    })?;
    Ok(())
}

/// Deletes a service point that no location, user's service points or request refers to.
///
/// # Errors
/// When there is none, or it is in use.
#[boxed]
pub async fn delete_service_point(context: &Context<'_>, id: Uuid) -> Result<(), Refusal> {
    let tenant = context.tenant;
    let transaction = context.store.database.transaction().await?;
    if !references::lock(&transaction, tenant, "service_point", id).await? {
        return Err(super::refusal::NOT_FOUND);
    }
    if places::is_service_point_used(&transaction, context.tables(), id).await? {
        return Err(in_use());
    }
    let collection = context.collection("service_point");
    delete(&transaction, tenant, collection, id)
        .await
        .map_err(|error| match error {
            StoreError::StillReferenced { .. } => in_use(),
            other => other.into(),
        })?;
    transaction.commit().await?;
    Ok(())
}

fn in_use() -> Refusal {
    Refusal::Forbidden("Cannot delete service point, as it is in use".to_owned())
}

fn prepared(context: &Context<'_>, document: Value) -> Result<Value, Refusal> {
    let point = checked(context.collection("service_point"), document)?;
    match service_point::refuse(&point) {
        Some(sentence) => Err(Refusal::property(sentence, "name", name_of(&point))),
        None => Ok(point),
    }
}

fn name_of(point: &Value) -> String {
    let name = point.get("name").and_then(Value::as_str);
    name.unwrap_or_default().to_owned()
}
