//! `/instance-storage/instances`. Its interface declares no list of errors: what is taken or
//! missing is said in plain text.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};

use super::context;
use crate::app::{Refusal, store_instance};

/// POST: a new instance.
///
/// # Errors
/// FOLIO's refusals.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let (id, stored) = store_instance::create_instance(&context(&call), call.record()?)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(created(stored, &id.to_string()))
}

/// PUT: an instance replaced.
///
/// # Errors
/// FOLIO's refusals.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, instance) = (call.id()?, call.record()?);
    store_instance::replace_instance(&context(&call), id, instance)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// PATCH: some of its properties replaced.
///
/// # Errors
/// FOLIO's refusals.
pub async fn patch(call: Call) -> Result<Response, ApiError> {
    let (id, changes) = super::patch(&call)?;
    store_instance::patch_instance(&context(&call), id, &changes)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(empty(StatusCode::NO_CONTENT))
}
