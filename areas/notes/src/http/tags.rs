//! `/tags`. Records carry the labels; nothing here follows them.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http;
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call};
use serde_json::Value;

use super::refusal::{Subject, in_form, not_found, of_store, too_long};
use super::{collection, paging};
use crate::app::note_form::fits;

/// Characters of a label, and of a description.
const CHARS_MAX: usize = 255;

/// A page of tags.
///
/// # Errors
/// 422 for a query that cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = paging(&call).map_err(in_form)?;
    let tags = collection(&call, Subject::Tag.table());
    records_http::page(&call, tags, paging.search())
        .await
        .map_err(|error| of_store(error, Subject::Tag, None))
}

/// One tag.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(in_form)?;
    let found = call
        .store()
        .read(&call.tenant, collection(&call, Subject::Tag.table()), id)
        .await
        .map_err(|error| of_store(error, Subject::Tag, Some(id)))?;
    Ok(json_bytes(
        StatusCode::OK,
        found.ok_or_else(|| not_found(Subject::Tag, id))?,
    ))
}

/// A new tag. It gets an id of its own, whatever the body says.
///
/// # Errors
/// 422 when it does not fit or its label is taken.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let (id, stored) = call
        .store()
        .create(
            &call.tenant,
            collection(&call, Subject::Tag.table()),
            sent(&call)?,
            &call.stamp(),
        )
        .await
        .map_err(|error| of_store(error, Subject::Tag, None))?;
    Ok(created(stored, &format!("/tags/{id}")))
}

/// A tag replaced.
///
/// # Errors
/// 404 when there is none, 422 as [`create`].
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(in_form)?;
    call.store()
        .replace(
            &call.tenant,
            collection(&call, Subject::Tag.table()),
            id,
            sent(&call)?,
            &call.stamp(),
        )
        .await
        .map_err(|error| of_store(error, Subject::Tag, Some(id)))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A tag deleted.
///
/// # Errors
/// 404 when there is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    super::delete(&call, Subject::Tag).await
}

/// The tag in the body, without the id.
fn sent(call: &Call) -> Result<Value, ApiError> {
    let mut tag = call.json().map_err(in_form)?;
    for name in ["label", "description"] {
        fits(name, &tag[name], CHARS_MAX).map_err(|text| too_long(&text))?;
    }
    if let Some(tag) = tag.as_object_mut() {
        tag.remove("id");
    }
    Ok(tag)
}
