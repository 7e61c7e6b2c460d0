//! `/notes`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call};

use super::refusal::{Subject, in_form, not_found, of_store, too_long};
use super::{collection, page};
use crate::app::note_form::{check_lengths, complete};
use crate::store;

/// A page of notes.
///
/// # Errors
/// 422 for a query that cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    page(&call, Subject::Note, store::notes).await
}

/// One note.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(in_form)?;
    let note = store::note(&call.store().database, &call.tenant, id).await?;
    Ok(json_bytes(
        StatusCode::OK,
        note.ok_or_else(|| not_found(Subject::Note, id))?,
    ))
}

/// A new note.
///
/// # Errors
/// 422 when it does not fit or its type does not exist.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let mut note = call.json().map_err(in_form)?;
    complete(&mut note);
    check_lengths(&note).map_err(|text| too_long(&text))?;
    let (id, _) = call
        .store()
        .create(
            &call.tenant,
            collection(&call, Subject::Note.table()),
            note,
            &call.stamp(),
        )
        .await
        .map_err(|error| of_store(error, Subject::Note, None))?;
    let note = store::note(&call.store().database, &call.tenant, id).await?;
    let note = note.ok_or_else(|| not_found(Subject::Note, id))?;
    Ok(created(note, &format!("/notes/{id}")))
}

/// A note replaced; one that is left without links is deleted.
///
/// # Errors
/// 404 when there is none, 422 as [`create`].
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(in_form)?;
    let mut note = call.json().map_err(in_form)?;
    let collection = collection(&call, Subject::Note.table());
    let outcome = if complete(&mut note) == 0 {
        call.store().delete(&call.tenant, collection, id).await
    } else {
        check_lengths(&note).map_err(|text| too_long(&text))?;
        call.store()
            .replace(&call.tenant, collection, id, note, &call.stamp())
            .await
    };
    outcome.map_err(|error| of_store(error, Subject::Note, Some(id)))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A note deleted.
///
/// # Errors
/// 404 when there is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    super::delete(&call, Subject::Note).await
}
