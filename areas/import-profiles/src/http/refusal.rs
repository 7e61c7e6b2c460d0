//! Refusals in FOLIO's forms: plain text, or a list of errors.

use http::StatusCode;
use octavo_platform::ApiError;
use serde_json::{Value, json};

use crate::app::Refusal;

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        match refusal {
            Refusal::NotFound(message) => ApiError::text(StatusCode::NOT_FOUND, message),
            Refusal::Improper(message) => ApiError::bad_request(message),
            Refusal::InUse(message) => ApiError::text(StatusCode::CONFLICT, message),
            Refusal::Invalid(messages) => invalid(&messages),
            Refusal::Store(error) => error.into(),
        }
    }
}

/// 422 with a list of messages.
pub(super) fn invalid(messages: &[String]) -> ApiError {
    let errors: Vec<Value> = messages
        .iter()
        .map(|message| json!({"message": message, "parameters": []}))
        .collect();
    let total = errors.len();
    ApiError::Json(
        StatusCode::UNPROCESSABLE_ENTITY,
        json!({"errors": errors, "total_records": total}),
    )
}

/// 404 with a message.
pub(super) fn missing(what: &str, id: &str) -> ApiError {
    let id: String = id.chars().take(100).collect();
    let message = format!("{what} with id '{id}' was not found");
    ApiError::text(StatusCode::NOT_FOUND, message)
}
