//! `/item-storage/items`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};

use super::batches;
use crate::app::{Refusal, store_batch, store_item, unguarded};

/// POST: a new item.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let (id, stored) = store_item::create_item(&call.context(), call.record()?).await?;
    Ok(created(stored, &id.to_string()))
}

/// PUT: an item replaced.
///
/// # Errors
/// FOLIO's refusals; its interface declares no list of errors here.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, item) = (call.id()?, call.record()?);
    store_item::replace_item(&call.context(), id, item, unguarded)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// PATCH: some properties of many items replaced.
pub async fn patch(call: Call) -> Result<Response, ApiError> {
    let patches = batches::list(&call, "items")?;
    store_batch::patch_items(&call.context(), patches).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
