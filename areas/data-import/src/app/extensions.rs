//! Restores the default file extensions.

use octavo_platform::ReferenceData;
use octavo_records::StoreError;
use octavo_records::store::insert_many;
use serde_json::{Map, Value};

use super::{Context, Refusal};
use crate::store::existing;

/// The default file extensions.
pub(crate) fn defaults() -> ReferenceData {
    let text = include_str!("../reference/file_extensions.tsv");
    ReferenceData::tsv("file_extension", text)
}

/// Replaces all extensions by the defaults; returns them.
pub(crate) async fn restore(context: &Context<'_>) -> Result<Vec<Value>, Refusal> {
    let collection = context.collection("file_extension");
    let records = defaults()
        .records(collection)
        .map_err(|error| StoreError::fault(error))?;
    let documents: Vec<Map<String, Value>> = records
        .iter()
        .filter_map(|record| record.as_object().cloned())
        .collect();
    let transaction = context.store.database.transaction().await?;
    existing::clear_extensions(&transaction, context.tenant).await?;
    insert_many(
        &transaction,
        context.tenant,
        collection,
        documents,
        &context.stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(records)
}
