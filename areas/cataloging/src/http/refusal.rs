//! Refusals in the form of mod-quick-marc: a single error object.

use http::StatusCode;
use octavo_platform::ApiError;
use octavo_records::StoreError;
use serde_json::{Value, json};

use crate::app::edit::Refusal;
use crate::derive;
use crate::editor::Wrong;
use crate::quick_marc::ReadError;

/// FOLIO's type of an invalid request.
const INTERNAL: &str = "-1";
/// FOLIO's type of another module's refusal.
const EXTERNAL: &str = "-2";
/// FOLIO's type of a conflict.
const UNDEFINED: &str = "-3";

fn error(status: StatusCode, kind: &str, code: &str, message: &str) -> ApiError {
    let body = json!({"message": message, "type": kind, "code": code});
    ApiError::Json(status, body)
}

/// 400 with a message.
pub(super) fn malformed(message: impl Into<String>) -> ApiError {
    let message = message.into();
    error(StatusCode::BAD_REQUEST, INTERNAL, "BAD_REQUEST", &message)
}

/// 404 with a message.
pub(super) fn not_found(message: impl Into<String>) -> ApiError {
    let message = message.into();
    error(StatusCode::NOT_FOUND, INTERNAL, "NOT_FOUND", &message)
}

fn unprocessable(kind: &str, message: &str) -> ApiError {
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    error(status, kind, "UNPROCESSABLE_CONTENT", message)
}

/// The response for a refusal of the editor.
pub(super) fn answer(refusal: Refusal) -> ApiError {
    let sentence = refusal.to_string();
    match refusal {
        Refusal::Malformed(_) => malformed(sentence),
        Refusal::NotFound(_) => not_found(sentence),
        Refusal::Invalid(issues) => {
            let issues: Vec<Value> = issues.iter().map(|issue| issue.to_json()).collect();
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            ApiError::Json(status, json!({ "issues": issues }))
        }
        Refusal::Fields(wrong) => fields(&wrong),
        Refusal::Unreadable(ReadError::Malformed { .. }) => malformed(sentence),
        Refusal::Unreadable(ReadError::ElementLength { .. }) => error(
            StatusCode::UNPROCESSABLE_ENTITY,
            INTERNAL,
            "ILLEGAL_FIXED_LENGTH_CONTROL_FIELD",
            &sentence,
        ),
        Refusal::Derive(refusal) => derived(refusal),
    }
}

/// One invalid field is a single error, several are a list.
fn fields(wrong: &[Wrong]) -> ApiError {
    let of = |wrong: &Wrong| {
        let about = [json!({"key": wrong.tag})];
        json!({"message": wrong.message, "type": INTERNAL, "parameters": about})
    };
    let mut errors: Vec<Value> = wrong.iter().map(of).collect();
    let body = match errors.len() {
        1 => errors.remove(0),
        count => json!({"errors": errors, "total_records": count}),
    };
    ApiError::Json(StatusCode::UNPROCESSABLE_ENTITY, body)
}

fn derived(refusal: derive::Refusal) -> ApiError {
    let sentence = refusal.to_string();
    match refusal {
        derive::Refusal::Stale { .. } => conflict(&sentence),
        derive::Refusal::NotFound { .. } | derive::Refusal::NoInstance { .. } => {
            not_found(sentence)
        }
        derive::Refusal::Unnamed(_)
        | derive::Refusal::Unmapped(_)
        | derive::Refusal::Without004 => unprocessable(INTERNAL, &sentence),
        derive::Refusal::Store(StoreError::VersionConflict { .. }) => conflict(&sentence),
        derive::Refusal::Store(error) => external(error.into()),
        derive::Refusal::Inventory(refusal) => external(refusal.into()),
        derive::Refusal::Authority(_) | derive::Refusal::Source(_) => {
            unprocessable(EXTERNAL, &sentence)
        }
    }
}

fn conflict(sentence: &str) -> ApiError {
    let code = "INTERNAL_SERVER_ERROR";
    error(StatusCode::CONFLICT, UNDEFINED, code, sentence)
}

/// Refusals that come from FOLIO's storage have the storage's messages.
fn external(refused: ApiError) -> ApiError {
    let editor_error = |status: StatusCode, message: &str| {
        let code = status.canonical_reason().unwrap_or_default();
        let code = code.to_uppercase().replace(' ', "_");
        error(status, EXTERNAL, &code, message)
    };
    match refused {
        ApiError::Text(status, message) => editor_error(status, &message),
        ApiError::Errors(status, errors) => {
            let messages: Vec<&str> = errors
                .iter()
                .filter_map(|error| error["message"].as_str())
                .collect();
            editor_error(status, &messages.join(", "))
        }
        other => other,
    }
}
