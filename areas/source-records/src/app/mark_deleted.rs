//! Deleting a source record and bringing it back: it stays stored and is marked, in its state, its
//! leader and its visibility.

use octavo_inventory::rules::source_record;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, replace};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::search::{IdType, current};
use super::{Context, Refusal};
use crate::store;

/// Marks a record as deleted: state, leader position 5, date of last transaction, suppressed.
///
/// # Errors
/// When there is none.
pub async fn delete_record(context: &Context<'_>, kind: IdType, id: Uuid) -> Result<(), Refusal> {
    mark(context, kind, id, true).await
}

/// Takes the mark off again.
///
/// # Errors
/// When there is none.
pub async fn undelete_record(context: &Context<'_>, kind: IdType, id: Uuid) -> Result<(), Refusal> {
    mark(context, kind, id, false).await
}

async fn mark(context: &Context<'_>, kind: IdType, id: Uuid, deleted: bool) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let found = hold(context, &transaction, kind, id).await?;
    let (record_id, mut record) = found.ok_or(Refusal::RecordNotFound(id))?;
    source_record::mark(&mut record, deleted, context.stamp.at);
    put_back(context, transaction, record_id, &record).await
}

/// Sets whether what the record describes is hidden from discovery.
///
/// # Errors
/// When there is no such record.
pub async fn suppress_record(
    context: &Context<'_>,
    kind: IdType,
    id: Uuid,
    suppressed: bool,
) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let found = hold(context, &transaction, kind, id).await?;
    let (record_id, mut record) = found.ok_or(Refusal::RecordOfNotFound { kind, id })?;
    source_record::suppress(&mut record, suppressed);
    put_back(context, transaction, record_id, &record).await
}

/// The newest generation of what the id names, deleted or not, held until the transaction ends.
async fn hold(
    context: &Context<'_>,
    transaction: &Transaction,
    kind: IdType,
    id: Uuid,
) -> Result<Option<(Uuid, Map<String, Value>)>, Refusal> {
    let (wanted, state) = (kind.among(&[id]), current(true));
    let newest = store::newest(transaction, context.tenant, &wanted, &state).await?;
    let Some(record_id) = newest else {
        return Ok(None);
    };
    let collection = context.collection("source_record");
    let record = fetch_locked(transaction, context.tenant, collection, record_id).await?;
    Ok(match record {
        Some(Value::Object(record)) => Some((record_id, record)),
        _ => None,
    })
}

async fn put_back(
    context: &Context<'_>,
    transaction: Transaction,
    record_id: Uuid,
    record: &Map<String, Value>,
) -> Result<(), Refusal> {
    let collection = context.collection("source_record");
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace(&transaction, tenant, collection, record_id, record, stamp).await?;
    transaction.commit().await?;
    Ok(())
}
