//! Refusals in the form of mod-notes and mod-tags: always an `errors` list with a code, and 422 where
//! other modules answer 400.

use http::StatusCode;
use octavo_platform::ApiError;
use octavo_records::StoreError;
use serde_json::json;
use uuid::Uuid;

use crate::app::note_form::TooLong;

/// The code of all invalid requests.
const VALIDATION: &str = "VALIDATION_ERROR";
const NOT_FOUND: &str = "NOT_FOUND_ERROR";

#[derive(Debug, Clone, Copy)]
pub(super) enum Subject {
    Note,
    NoteType,
    Tag,
}

impl Subject {
    pub(super) fn table(self) -> &'static str {
        match self {
            Subject::Note => "note",
            Subject::NoteType => "note_type",
            Subject::Tag => "tag",
        }
    }

    /// Its name in "not found" messages.
    fn name(self) -> &'static str {
        match self {
            Subject::Note => "Note with ID",
            Subject::NoteType => "Note type with ID",
            Subject::Tag => "Tag with id",
        }
    }

    /// The property that is unique besides the id.
    fn key(self) -> &'static str {
        match self {
            Subject::Note => "id",
            Subject::NoteType => "name",
            Subject::Tag => "label",
        }
    }
}

/// 404 for a note, a type or a tag.
pub(super) fn not_found(subject: Subject, id: Uuid) -> ApiError {
    let message = format!("{} [{id}] was not found", subject.name());
    refusal(StatusCode::NOT_FOUND, NOT_FOUND, &message)
}

/// 422 for one note type too many.
pub(super) fn limit_reached(limit: i64) -> ApiError {
    let message = format!("Maximum number of note types allowed is {limit}");
    refusal(StatusCode::UNPROCESSABLE_ENTITY, VALIDATION, &message)
}

/// The response for a refusal of the store.
pub(super) fn of_store(error: StoreError, subject: Subject, id: Option<Uuid>) -> ApiError {
    let message = match error {
        StoreError::NotFound => return not_found(subject, id.unwrap_or_default()),
        StoreError::Duplicate { field, value, .. } => {
            let key = if field == "id" {
                field.as_str()
            } else {
                subject.key()
            };
            format!("Key ({key})=({value}) already exists.")
        }
        StoreError::MissingReference { value, .. } => {
            format!("Key (type_id)=({value}) is not present in table \"type\".")
        }
        StoreError::StillReferenced { table, .. } => {
            let id = id.unwrap_or_default();
            format!("Key (id)=({id}) is still referenced from table \"{table}\".")
        }
        StoreError::Invalid(violations) => violations
            .iter()
            .map(|one| format!("{}: {}", one.path, one.message))
            .collect::<Vec<_>>()
            .join(", "),
        other => return in_form(other.into()),
    };
    refusal(StatusCode::UNPROCESSABLE_ENTITY, VALIDATION, &message)
}

/// 422 for a text that is too long.
pub(super) fn too_long(text: &TooLong) -> ApiError {
    refusal(
        StatusCode::UNPROCESSABLE_ENTITY,
        VALIDATION,
        &text.message(),
    )
}

/// 422 for a blank text.
pub(super) fn blank(property: &str) -> ApiError {
    let message = format!("{property}: must not be blank");
    refusal(StatusCode::UNPROCESSABLE_ENTITY, VALIDATION, &message)
}

/// Any other refusal of a request.
pub(super) fn in_form(error: ApiError) -> ApiError {
    match error {
        ApiError::Text(StatusCode::BAD_REQUEST, message) => {
            refusal(StatusCode::UNPROCESSABLE_ENTITY, VALIDATION, &message)
        }
        ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, errors) => {
            let messages: Vec<&str> = errors
                .iter()
                .filter_map(|error| error["message"].as_str())
                .collect();
            refusal(
                StatusCode::UNPROCESSABLE_ENTITY,
                VALIDATION,
                &messages.join(", "),
            )
        }
        other => other,
    }
}

fn refusal(status: StatusCode, code: &str, message: &str) -> ApiError {
    let error = json!({"message": message, "type": "-1", "code": code});
    ApiError::Json(status, json!({"errors": [error]}))
}
