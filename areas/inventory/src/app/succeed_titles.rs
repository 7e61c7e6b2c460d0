//! Links between preceding and succeeding titles: single ones, or all of an instance.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_records::StoreError;
use octavo_records::store::{fetch_locked, insert, insert_many, replace};
use serde_json::Value;
use uuid::Uuid;

use super::link_instance::{LINKS_MAX, TITLE};
use super::{Context, Refusal, all_checked, checked, object, object_of};
use crate::rules::titles;
use crate::store::instance_links;

/// FOLIO's message when an instance that a link names does not exist.
const WITHOUT_INSTANCE: Refusal = Refusal::Missing("Instance not found");

/// Stores a new link; returns its id and the stored JSON.
///
/// # Errors
/// When it does not fit or names no instance, or one that does not exist.
#[boxed]
pub async fn create_title(
    context: &Context<'_>,
    document: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    let collection = context.collection(TITLE);
    let link = named(document).and_then(|link| checked(collection, link))?;
    let database = &context.store.database;
    Ok(insert(
        database,
        context.tenant,
        collection,
        object(link),
        &context.stamp,
    )
    .await?)
}

/// Replaces a link.
///
/// # Errors
/// As [`create_title`], and when there is no such link.
#[boxed]
pub async fn replace_title(
    context: &Context<'_>,
    id: Uuid,
    document: Value,
) -> Result<(), Refusal> {
    let collection = context.collection(TITLE);
    let link = named(document).and_then(|link| checked(collection, link))?;
    let link = object_of(id, link);
    replace(
        &context.store.database,
        context.tenant,
        collection,
        id,
        &link,
        &context.stamp,
    )
    .await?;
    Ok(())
}

/// Sets all title links of an instance. The instance is locked, so that concurrent calls are serialised.
///
/// # Errors
/// When one of them does not fit or does not name the instance, or an instance does not exist: then the
/// links stay as they are.
#[boxed]
pub async fn replace_titles_of(
    context: &Context<'_>,
    instance: Uuid,
    documents: Vec<Value>,
) -> Result<(), Refusal> {
    if documents.len() > LINKS_MAX {
        return Err(Refusal::TooMany {
            most: LINKS_MAX,
            sent: documents.len(),
        });
    }
    if !documents.iter().all(|link| titles::names(link, instance)) {
        let sentence = format!(
            "The precedingInstanceId or succeedingInstanceId should contain instanceId [{instance}]"
        );
        let key = "precedingInstanceId or succeedingInstanceId";
        return Err(Refusal::property(sentence, key, ""));
    }
    let collection = context.collection(TITLE);
    let links = all_checked(collection, documents)?;
    let transaction = context.store.database.transaction().await?;
    let instances = context.collection("instance");
    let held = fetch_locked(&transaction, context.tenant, instances, instance).await?;
    held.ok_or(WITHOUT_INSTANCE)?;
    instance_links::clear_titles_of(&transaction, context.tenant, instance).await?;
    let links = links.into_iter().map(|(_, link)| object(link)).collect();
    insert_many(
        &transaction,
        context.tenant,
        collection,
        links,
        &context.stamp,
    )
    .await
    .map_err(|error| match error {
        StoreError::MissingReference { .. } => WITHOUT_INSTANCE,
        other => other.into(),
    })?;
    transaction.commit().await?;
    Ok(())
}

fn named(link: Value) -> Result<Value, Refusal> {
    match titles::is_empty(&link) {
        true => Err(Refusal::property(titles::BOTH_EMPTY, "", "")),
        false => Ok(link),
    }
}
