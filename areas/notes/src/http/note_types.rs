//! `/note-types`

use axum::response::Response;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::created;
use octavo_platform::{ApiError, Call};
use serde_json::Value;

use super::refusal::{Subject, blank, in_form, limit_reached, of_store, too_long};
use super::stored;
use crate::app::add_type::{Added, add_type};
use crate::app::note_form::fits;
use crate::store;

/// Characters of a name.
const NAME_CHARS_MAX: usize = 255;

/// Types are shown with `usage`: whether notes use them.
pub const HOOKS: Hooks = Hooks {
    page: Some(store::note_types),
    one: Some(store::note_types),
    before: |_, _, document| named(document),
    wording: |refused| stored(refused, Subject::NoteType),
    ..super::HOOKS
};

/// A new note type.
///
/// # Errors
/// 422 when it does not fit, its name is taken or there are too many.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let document = call.json().map_err(in_form)?;
    named(&document)?;
    let added = add_type(&call.context(), document).await;
    match added.map_err(|error| of_store(error, Subject::NoteType, None))? {
        Added::Stored(id, stored) => Ok(created(stored, &format!("/note-types/{id}"))),
        Added::TooMany(limit) => Err(limit_reached(limit)),
    }
}

/// Checks that a note type has a name.
fn named(document: &Value) -> Result<(), ApiError> {
    let name = &document["name"];
    fits("name", name, NAME_CHARS_MAX).map_err(|text| too_long(&text))?;
    match name.as_str() {
        Some(name) if name.trim().is_empty() => Err(blank("name")),
        _ => Ok(()),
    }
}
