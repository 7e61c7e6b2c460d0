//! `/notes`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};

use super::refusal::{Subject, in_form, of_store, too_long};
use super::stored;
use crate::app::note_form::{check_lengths, complete};
use crate::store;

/// Notes are shown with the name of their type, a single note also with its author's name.
pub const HOOKS: Hooks = Hooks {
    page: Some(store::notes),
    one: Some(store::whole_note),
    before: |_, _, note| {
        complete(note);
        check_lengths(note).map_err(|text| too_long(&text))
    },
    wording: |refused| stored(refused, Subject::Note),
    ..super::HOOKS
};

/// A note replaced; one that is left without links is deleted.
///
/// # Errors
/// 404 when there is none, 422 when it does not fit or its type does not exist.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(in_form)?;
    let mut note = call.json().map_err(in_form)?;
    let collection = call.collection(Subject::Note.table());
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
