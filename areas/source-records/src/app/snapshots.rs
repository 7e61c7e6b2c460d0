//! Snapshots: stored under their `jobExecutionId`, with the time when processing started.

use octavo_boxed::boxed;
use octavo_library::SnapshotId;
use octavo_postgres::Transaction;
use octavo_records::store::{delete, fetch_locked, insert_if_absent, replace};
use octavo_records::{StoreError, instant};
use serde_json::{Map, Value, json};

use super::{Context, Refusal};
use crate::store;

const TABLE: &str = "snapshot";
/// The status at which the processing begins.
const BEGUN: &str = "PARSING_IN_PROGRESS";
/// The start of processing, which a snapshot needs to accept records.
pub(super) const STARTED: &str = "processingStartedDate";

/// Stores or replaces a snapshot, as in FOLIO, so that starting a run twice is harmless. Returns its id.
#[boxed]
pub async fn create_snapshot(
    context: &Context<'_>,
    document: Value,
) -> Result<SnapshotId, Refusal> {
    let (id, document) = prepared(context, document, None)?;
    let collection = context.collection(TABLE);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let transaction = context.store.database.transaction().await?;
    // Two attempts: if a concurrent request deletes it between our insert and update, it is created
    // again.
    for _ in 0..2 {
        let new = document.clone();
        if insert_if_absent(&transaction, tenant, collection, new, stamp).await?
            || put(context, &transaction, id, document.clone()).await?
        {
            transaction.commit().await?;
            return Ok(id);
        }
    }
    Err(Refusal::SnapshotNotFound(id))
}

/// Replaces a snapshot. The start of processing is kept.
///
/// # Errors
/// When it does not fit or there is none.
#[boxed]
pub async fn replace_snapshot(
    context: &Context<'_>,
    id: SnapshotId,
    document: Value,
) -> Result<(), Refusal> {
    let (_, document) = prepared(context, document, Some(id))?;
    let transaction = context.store.database.transaction().await?;
    if !put(context, &transaction, id, document).await? {
        return Err(Refusal::SnapshotNotFound(id));
    }
    transaction.commit().await?;
    Ok(())
}

/// Replaces the snapshot of this id; returns whether there was one.
async fn put(
    context: &Context<'_>,
    transaction: &Transaction,
    id: SnapshotId,
    mut document: Map<String, Value>,
) -> Result<bool, StoreError> {
    let (tenant, collection) = (context.tenant, context.collection(TABLE));
    let Some(old) = fetch_locked(transaction, tenant, collection, id.uuid()).await? else {
        return Ok(false);
    };
    keep_beginning(&mut document, &old);
    replace(
        transaction,
        tenant,
        collection,
        id.uuid(),
        &document,
        &context.stamp,
    )
    .await?;
    Ok(true)
}

/// Keeps the start of processing: clients send only the new status.
fn keep_beginning(document: &mut Map<String, Value>, old: &Value) {
    if let Some(begun) = old.get(STARTED) {
        document.entry(STARTED).or_insert_with(|| begun.clone());
    }
}

/// Deletes a snapshot with its records, not the instances.
#[boxed]
pub async fn delete_snapshot(context: &Context<'_>, id: SnapshotId) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    store::delete_records_of(&transaction, context.tenant, id).await?;
    delete(
        &transaction,
        context.tenant,
        context.collection(TABLE),
        id.uuid(),
    )
    .await
    .map_err(|error| of_snapshot(error, id))?;
    transaction.commit().await?;
    Ok(())
}

fn of_snapshot(error: StoreError, id: SnapshotId) -> Refusal {
    match error {
        StoreError::NotFound => Refusal::SnapshotNotFound(id),
        other => other.into(),
    }
}

fn prepared(
    context: &Context<'_>,
    mut document: Value,
    id: Option<SnapshotId>,
) -> Result<(SnapshotId, Map<String, Value>), StoreError> {
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
        .and_then(SnapshotId::parse);
    let id = id.or(own).unwrap_or_default();
    document.insert("id".to_owned(), json!(id));
    document.insert("jobExecutionId".to_owned(), json!(id));
    if document["status"] == BEGUN {
        let now = json!(instant::format(context.stamp.at));
        document.insert(STARTED.to_owned(), now);
    }
    Ok((id, document))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_date_is_kept_unless_another_is_given() {
        let old = json!({"status": BEGUN, STARTED: "then"});
        for (sent, kept) in [
            (json!({"status": "COMMITTED"}), Some("then")),
            (json!({"status": BEGUN, STARTED: "now"}), Some("now")),
        ] {
            let mut document = sent.as_object().cloned().expect("an object");
            keep_beginning(&mut document, &old);
            assert_eq!(document.get(STARTED).and_then(Value::as_str), kept);
        }
        let mut document = Map::new();
        keep_beginning(&mut document, &json!({"status": "NEW"}));
        assert_eq!(document.get(STARTED), None);
    }
}
