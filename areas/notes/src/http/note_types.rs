//! `/note-types`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call};
use serde_json::Value;

use super::refusal::{Subject, blank, in_form, limit_reached, not_found, of_store, too_long};
use super::{collection, page};
use crate::app::add_type::{Added, add_type};
use crate::app::note_form::fits;
use crate::store;

/// Characters of a name.
const NAME_CHARS_MAX: usize = 255;

/// A page of note types, each with whether notes use it.
///
/// # Errors
/// 422 for a query that cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    page(&call, Subject::NoteType, store::note_types).await
}

/// One note type.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(in_form)?;
    let found = store::note_type(&call.store().database, &call.tenant, id).await?;
    Ok(json_bytes(
        StatusCode::OK,
        found.ok_or_else(|| not_found(Subject::NoteType, id))?,
    ))
}

/// A new note type.
///
/// # Errors
/// 422 when it does not fit, its name is taken or there are too many.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let document = sent(&call)?;
    let added = add_type(
        call.store(),
        &call.tenant,
        collection(&call, Subject::NoteType.table()),
        document,
        &call.stamp(),
    )
    .await
    .map_err(|error| of_store(error, Subject::NoteType, None))?;
    match added {
        Added::Stored(id, stored) => Ok(created(stored, &format!("/note-types/{id}"))),
        Added::TooMany(limit) => Err(limit_reached(limit)),
    }
}

/// The note type in the body, if it has a name.
fn sent(call: &Call) -> Result<Value, ApiError> {
    let document = call.json().map_err(in_form)?;
    let name = &document["name"];
    fits("name", name, NAME_CHARS_MAX).map_err(|text| too_long(&text))?;
    match name.as_str() {
        Some(name) if name.trim().is_empty() => Err(blank("name")),
        _ => Ok(document),
    }
}

/// A note type replaced.
///
/// # Errors
/// 404 when there is none, 422 as [`create`].
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(in_form)?;
    let document = sent(&call)?;
    let store = call.store();
    let outcome = store
        .replace(
            &call.tenant,
            collection(&call, Subject::NoteType.table()),
            id,
            document,
            &call.stamp(),
        )
        .await;
    outcome.map_err(|error| of_store(error, Subject::NoteType, Some(id)))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A note type deleted.
///
/// # Errors
/// 404 when there is none, 422 while notes use it.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    super::delete(&call, Subject::NoteType).await
}
