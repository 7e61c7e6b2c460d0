//! `/instance-storage/instances/{id}/source-record`: the MARC document of an instance.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call};

use crate::app::keep_marc;

/// GET: the document.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let collection = call.context().collection(keep_marc::TABLE);
    let id = call.id()?;
    let stored = call.store().read(&call.tenant, collection, id).await?;
    Ok(json_bytes(
        StatusCode::OK,
        stored.ok_or_else(ApiError::not_found)?,
    ))
}

/// PUT: the document, whether there was one or not.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, document) = (call.id()?, call.record()?);
    keep_marc::keep_marc(&call.context(), id, document).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// DELETE: no document any more.
///
/// # Errors
/// 404 when there is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let collection = call.context().collection(keep_marc::TABLE);
    call.store()
        .delete(&call.tenant, collection, call.id()?)
        .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
