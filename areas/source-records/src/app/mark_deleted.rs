//! Marks source records as deleted and undeletes them: state, leader and suppression change, the record
//! stays.

use octavo_boxed::boxed;
use octavo_inventory::rules::source_record;
use octavo_library::SourceRecordId;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::replace;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::current_record::{Current, hold_record};
use super::search::IdType;
use super::{Context, Refusal};

/// Marks a record as deleted: state, leader position 5, date of last transaction, suppressed.
#[boxed]
pub async fn delete_record(context: &Context<'_>, kind: IdType, id: Uuid) -> Result<(), Refusal> {
    mark(context, kind, id, true).await
}

/// Removes the mark.
#[boxed]
pub async fn undelete_record(context: &Context<'_>, kind: IdType, id: Uuid) -> Result<(), Refusal> {
    mark(context, kind, id, false).await
}

/// Marks the source record of a deleted record, if it has one, inside the caller's transaction. Lock the
/// described record first.
#[boxed]
pub async fn mark_deleted(
    context: &Context<'_>,
    transaction: &Transaction,
    kind: IdType,
    id: Uuid,
) -> Result<(), StoreError> {
    let held = hold_record(context, transaction, kind, id).await?;
    let Some(Current { id, mut document }) = held else {
        return Ok(());
    };
    source_record::mark(&mut document, true, context.stamp.at);
    let records = context.collection("source_record");
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace(transaction, tenant, records, id.uuid(), &document, stamp).await?;
    Ok(())
}

async fn mark(context: &Context<'_>, kind: IdType, id: Uuid, deleted: bool) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let held = hold_record(context, &transaction, kind, id).await?;
    let mut held = held.ok_or(Refusal::RecordNotFound(id))?;
    source_record::mark(&mut held.document, deleted, context.stamp.at);
    put_back(context, transaction, held.id, &held.document).await
}

/// Sets whether what the record describes is suppressed from discovery.
///
/// # Errors
/// When there is no such record.
#[boxed]
pub async fn suppress_record(
    context: &Context<'_>,
    kind: IdType,
    id: Uuid,
    suppressed: bool,
) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let held = hold_record(context, &transaction, kind, id).await?;
    let mut held = held.ok_or(Refusal::RecordOfNotFound { kind, id })?;
    source_record::suppress(&mut held.document, suppressed);
    put_back(context, transaction, held.id, &held.document).await
}

async fn put_back(
    context: &Context<'_>,
    transaction: Transaction,
    record_id: SourceRecordId,
    record: &Map<String, Value>,
) -> Result<(), Refusal> {
    let collection = context.collection("source_record");
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace(
        &transaction,
        tenant,
        collection,
        record_id.uuid(),
        record,
        stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(())
}
