//! `/note-types`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call};

use super::refusal::{Subject, in_form, limit_reached, not_found, of_store};
use super::{collection, page};
use crate::store;

/// mod-notes' default.
const TYPES_MAX: i64 = 25;

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
    let document = call.json().map_err(in_form)?;
    // Two requests at once may pass the limit by one; it is there for people's sake.
    if store::count_note_types(&call.store().database, &call.tenant).await? >= TYPES_MAX {
        return Err(limit_reached(TYPES_MAX));
    }
    let (_, stored) = call
        .store()
        .create(
            &call.tenant,
            collection(&call, Subject::NoteType.table()),
            document,
            &call.stamp(),
        )
        .await
        .map_err(|error| of_store(error, Subject::NoteType, None))?;
    Ok(json_bytes(StatusCode::CREATED, stored))
}

/// A note type replaced.
///
/// # Errors
/// 404 when there is none, 422 as [`create`].
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(in_form)?;
    let document = call.json().map_err(in_form)?;
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
