//! mod-data-export over HTTP: requests and responses, no decisions.

pub mod downloads;
pub mod executions;
pub mod exports;
pub mod files;
pub mod profiles;
pub mod upkeep;

use http::StatusCode;
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::new_job::JobRefusal;

fn of_job(refusal: JobRefusal) -> ApiError {
    match refusal {
        JobRefusal::Store(error) => error.into(),
        JobRefusal::NotFound => ApiError::text(StatusCode::NOT_FOUND, refusal.to_string()),
        JobRefusal::Crowded => ApiError::text(StatusCode::TOO_MANY_REQUESTS, refusal.to_string()),
        JobRefusal::Started => ApiError::bad_request(refusal.to_string()),
    }
}

/// A segment of the path that is a UUID.
fn id_of<I: From<Uuid>>(call: &Call, name: &str) -> Result<I, ApiError> {
    let text = call.segment(name);
    let id = Uuid::try_parse(text).map(I::from);
    id.map_err(|_| octavo_platform::incorrect(name, text, "must be a UUID"))
}

/// A property of a body that is a UUID, if it is there.
fn id_in<I: From<Uuid>>(body: &Value, name: &str) -> Result<Option<I>, ApiError> {
    match &body[name] {
        Value::Null => Ok(None),
        Value::String(text) => Uuid::try_parse(text)
            .map(|id| Some(I::from(id)))
            .map_err(|_| ApiError::invalid(format!("{name} must be a UUID"), name, text)),
        other => Err(ApiError::invalid(
            format!("{name} must be a UUID"),
            name,
            other.to_string(),
        )),
    }
}

/// FOLIO's list of errors about values that match no pattern.
fn patterns(wrong: &[(String, String, &'static str)]) -> ApiError {
    let errors = wrong.iter().map(|(key, value, pattern)| {
        json!({"message": format!("must match \\\"{pattern}\\\""), "type": "1",
            "code": "javax.validation.constraints.Pattern.message",
            "parameters": [{"key": key, "value": value}]})
    });
    ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, errors.collect())
}
