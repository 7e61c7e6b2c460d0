//! The MARC document of an instance: one, under the instance's id.

use octavo_boxed::boxed;
use octavo_records::StoreError;
use octavo_records::store::{fetch_locked, insert, replace};
use serde_json::Value;
use uuid::Uuid;

use super::{Context, Refusal, checked, object_of};
use crate::rules::marc_json;

/// The table of the documents.
pub const TABLE: &str = "instance_source_marc";

/// Stores or replaces the document of an instance.
///
/// # Errors
/// When it does not fit, or there is no such instance.
#[boxed]
pub async fn keep_marc(context: &Context<'_>, id: Uuid, document: Value) -> Result<(), Refusal> {
    let collection = context.collection(TABLE);
    let document = checked(collection, document)?;
    if let Some((property, sentence, value)) = marc_json::refuse(&document) {
        return Err(Refusal::property(sentence, property, value));
    }
    let document = object_of(id, document);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let transaction = context.store.database.transaction().await?;
    // The instance is locked, so that concurrent first documents of it are serialised.
    let instances = context.collection("instance");
    let instance = fetch_locked(&transaction, tenant, instances, id).await?;
    if instance.is_none() {
        return Err(Refusal::MissingNamed(format!(
            "There is no instance {id} that the document could belong to"
        )));
    }
    match replace(&transaction, tenant, collection, id, &document, stamp).await {
        Err(StoreError::NotFound) => {
            insert(&transaction, tenant, collection, document, stamp).await?;
        }
        other => {
            other?;
        }
    }
    transaction.commit().await?;
    Ok(())
}
