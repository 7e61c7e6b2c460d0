//! Imports over HTTP: requests and responses, no decisions.

pub(crate) mod extensions;
pub(crate) mod jobs;
pub(crate) mod logs;
pub(crate) mod timers;
pub(crate) mod uploads;

use ::http::StatusCode;
use octavo_platform::{ApiError, Call, error_item};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::app::Refusal;

fn answer(refusal: Refusal) -> ApiError {
    let message = refusal.to_string();
    match refusal {
        Refusal::Store(error) => error.into(),
        Refusal::NoJob(_)
        | Refusal::NoJobForChunk(_)
        | Refusal::NoProfile(_)
        | Refusal::NoUpload(_)
        | Refusal::NoFile(_) => ApiError::text(StatusCode::NOT_FOUND, message),
        Refusal::LinkOver => ApiError::text(StatusCode::FORBIDDEN, message),
        Refusal::Crowded(_) | Refusal::ManyUploads(_) => {
            ApiError::text(StatusCode::TOO_MANY_REQUESTS, message)
        }
        Refusal::LargeChunk(_) | Refusal::LargeFile(_) => {
            ApiError::text(StatusCode::PAYLOAD_TOO_LARGE, message)
        }
        Refusal::FilesRefused(code, names) => ApiError::Errors(
            StatusCode::UNPROCESSABLE_ENTITY,
            names
                .iter()
                .map(|name| error_item(code, Some(name), &[]))
                .collect(),
        ),
        Refusal::NoUser(_)
        | Refusal::NoFiles
        | Refusal::TakenId(_)
        | Refusal::ToParent
        | Refusal::IsParent(_)
        | Refusal::BetweenParents { .. }
        | Refusal::HasProfile(_)
        | Refusal::NoTree(..)
        | Refusal::ProfileMissing(_)
        | Refusal::ProfileUnsupported
        | Refusal::Failed
        | Refusal::Cancelled
        | Refusal::KnownChunk(..)
        | Refusal::Wrong(_)
        | Refusal::UploadInUse(_)
        | Refusal::UploadedAlready(_)
        | Refusal::Overtaken(_)
        | Refusal::NotUploaded(_)
        | Refusal::NoParts(_)
        | Refusal::OtherParts => ApiError::bad_request(message),
    }
}

/// The body's object.
fn object(call: &Call) -> Result<Map<String, Value>, ApiError> {
    match call.json()? {
        Value::Object(object) => Ok(object),
        _ => Err(ApiError::bad_request("The body must be a JSON object")),
    }
}

/// A UUID of the path.
fn segment<I: From<Uuid>>(call: &Call, name: &str) -> Result<I, ApiError> {
    let text = call.segment(name);
    let id = Uuid::try_parse(text).map(I::from);
    id.map_err(|_| octavo_platform::incorrect(name, text, "must be a UUID"))
}

fn uuid<I: From<Uuid>>(document: &Map<String, Value>, name: &str) -> Result<Option<I>, ApiError> {
    match document.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let text = value.as_str().unwrap_or_default();
            let id = Uuid::try_parse(text);
            id.map(|id| Some(I::from(id)))
                .map_err(|_| ApiError::invalid("must be a UUID", name, text))
        }
    }
}
