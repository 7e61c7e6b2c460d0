//! `/instance-storage/instances`. Its interface declares no error list: duplicates and missing
//! references are plain text.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};

use crate::app::{Refusal, store_instance};
use crate::store::instance_links;

/// POST: a new instance.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let (id, stored) = store_instance::create_instance(&call.context(), call.record()?)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(created(stored, &id.to_string()))
}

/// PUT: an instance replaced.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, instance) = (call.id()?, call.record()?);
    store_instance::replace_instance(&call.context(), id, instance)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// PATCH: some of its properties replaced.
pub async fn patch(call: Call) -> Result<Response, ApiError> {
    let (id, changes) = super::patch(&call)?;
    store_instance::patch_instance(&call.context(), id, &changes)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// DELETE by query. Deleting all instances also deletes their relationships, as in FOLIO; MARC documents
/// are always deleted with their instance.
///
/// # Errors
/// 400 when there is no query, it cannot be run, or an instance is still referred to.
pub async fn delete_found(call: Call) -> Result<Response, ApiError> {
    let query = call.parameter("query")?.unwrap_or_default();
    if query.trim().is_empty() {
        let sentence = "Expected CQL but query parameter is empty";
        return Err(ApiError::bad_request(sentence));
    }
    let companions = instance_links::all_relationships(&call.tenant);
    let collection = call.context().collection("instance");
    call.store()
        .delete_matching_with(&call.tenant, collection, &query, Some(&companions))
        .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
