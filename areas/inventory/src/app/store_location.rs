//! Storing one location. Its service points are locked meanwhile, so that none can be deleted
//! concurrently.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_records::store::{insert, replace};
use serde_json::Value;
use uuid::Uuid;

use super::{Context, Refusal, Wrong, checked, object, object_of};
use crate::rules::location_form::{refusals, service_points};
use crate::store::places;

/// Stores a new location; returns its id and the stored JSON.
///
/// # Errors
/// When it does not fit, its service points break a rule, or its name or code is taken.
#[boxed]
pub async fn create_location(
    context: &Context<'_>,
    document: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    let collection = context.collection("location");
    let location = checked(collection, document)?;
    refuse(&location, None)?;
    let transaction = context.store.database.transaction().await?;
    let points = service_points(&location);
    places::hold_service_points(&transaction, context.tenant, &points).await?;
    let created = insert(
        &transaction,
        context.tenant,
        collection,
        object(location),
        &context.stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(created)
}

/// Replaces a location.
///
/// # Errors
/// As [`create_location`], and when there is no such location or the document has another id.
#[boxed]
pub async fn replace_location(
    context: &Context<'_>,
    id: Uuid,
    document: Value,
) -> Result<(), Refusal> {
    let collection = context.collection("location");
    let location = checked(collection, document)?;
    refuse(&location, Some(id))?;
    let transaction = context.store.database.transaction().await?;
    let points = service_points(&location);
    places::hold_service_points(&transaction, context.tenant, &points).await?;
    let location = object_of(id, location);
    replace(
        &transaction,
        context.tenant,
        collection,
        id,
        &location,
        &context.stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(())
}

fn refuse(location: &Value, id: Option<Uuid>) -> Result<(), Refusal> {
    let broken = refusals(location, id);
    if broken.is_empty() {
        return Ok(());
    }
    let wrong = broken.into_iter().map(|(key, message)| Wrong {
        code: "-1",
        message: message.to_owned(),
        about: vec![(key.to_owned(), None)],
    });
    Err(Refusal::Listed(wrong.collect()))
}
