//! Creates a note type, within the library's limit.

use bytes::Bytes;
use octavo_records::store::insert;
use octavo_records::{Context, StoreError};
use serde_json::Value;
use uuid::Uuid;

use crate::store::{configured_limit, count_note_types, hold_note_types};

/// mod-notes' default.
const TYPES_DEFAULT: i64 = 25;
/// Upper bound of the configured limit.
const TYPES_MAX: i64 = 10_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Added {
    /// Stored, with its id and document.
    Stored(Uuid, Bytes),
    /// The limit is reached.
    TooMany(i64),
}

/// Stores a note type. Concurrent creations are serialised, so that the limit holds.
///
/// # Errors
/// When it does not fit, its name is taken.
pub async fn add_type(context: &Context<'_>, mut document: Value) -> Result<Added, StoreError> {
    let (tenant, collection) = (context.tenant, context.collection("note_type"));
    collection
        .shape
        .check(&mut document)
        .map_err(StoreError::Invalid)?;
    let transaction = context.store.database.transaction().await?;
    // Before counting: two clients could otherwise both find room for one more type.
    hold_note_types(&transaction, tenant).await?;
    let configured = configured_limit(&transaction, tenant).await?;
    let limit = configured.and_then(|text| text.trim().parse::<i64>().ok());
    let limit = limit.unwrap_or(TYPES_DEFAULT).min(TYPES_MAX);
    if count_note_types(&transaction, tenant).await? >= limit {
        return Ok(Added::TooMany(limit));
    }
    let Value::Object(document) = document else {
        return Err(StoreError::NotFound);
    };
    let (id, stored) = insert(&transaction, tenant, collection, document, &context.stamp).await?;
    transaction.commit().await?;
    Ok(Added::Stored(id, stored))
}
