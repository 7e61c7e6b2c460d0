//! Snapshots: each is stored under its `jobExecutionId`, and notes when its processing began.

use octavo_records::store::{delete, insert, replace};
use octavo_records::{StoreError, instant};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Context, Refusal};
use crate::store;

const TABLE: &str = "snapshot";
/// The status at which the processing begins.
const BEGUN: &str = "PARSING_IN_PROGRESS";

/// Stores a new snapshot; gives its id.
///
/// # Errors
/// When it does not fit or its id is taken.
pub async fn create_snapshot(context: &Context<'_>, document: Value) -> Result<Uuid, Refusal> {
    let (id, document) = prepared(context, document, None)?;
    let collection = context.collection(TABLE);
    insert(
        &context.store.database,
        context.tenant,
        collection,
        document,
        &context.stamp,
    )
    .await?;
    Ok(id)
}

/// Replaces a snapshot.
///
/// # Errors
/// When it does not fit or there is none.
pub async fn replace_snapshot(
    context: &Context<'_>,
    id: Uuid,
    document: Value,
) -> Result<(), Refusal> {
    let (_, document) = prepared(context, document, Some(id))?;
    let collection = context.collection(TABLE);
    let database = &context.store.database;
    replace(
        database,
        context.tenant,
        collection,
        id,
        &document,
        &context.stamp,
    )
    .await
    .map_err(|error| of_snapshot(error, id))?;
    Ok(())
}

/// Deletes a snapshot with its records. Instances stay.
///
/// # Errors
/// When there is none.
pub async fn delete_snapshot(context: &Context<'_>, id: Uuid) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    store::delete_records_of(&transaction, context.tenant, id).await?;
    delete(&transaction, context.tenant, context.collection(TABLE), id)
        .await
        .map_err(|error| of_snapshot(error, id))?;
    transaction.commit().await?;
    Ok(())
}

fn of_snapshot(error: StoreError, id: Uuid) -> Refusal {
    match error {
        StoreError::NotFound => Refusal::SnapshotNotFound(id),
        other => other.into(),
    }
}

fn prepared(
    context: &Context<'_>,
    mut document: Value,
    id: Option<Uuid>,
) -> Result<(Uuid, Map<String, Value>), StoreError> {
    context
        .collection(TABLE)
        .shape
        .check(&mut document)
        .map_err(StoreError::Invalid)?;
    let Value::Object(mut document) = document else {
        return Err(StoreError::NotFound);
    };
    let own = document["jobExecutionId"]
        .as_str()
        .and_then(|id| Uuid::try_parse(id).ok());
    let id = id.or(own).unwrap_or_default();
    document.insert("id".to_owned(), json!(id));
    document.insert("jobExecutionId".to_owned(), json!(id));
    if document["status"] == BEGUN {
        let now = json!(instant::format(context.stamp.at));
        document.entry("processingStartedDate").or_insert(now);
    }
    Ok((id, document))
}
