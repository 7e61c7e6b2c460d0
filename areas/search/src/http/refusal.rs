//! Refusals in mod-search's form: a list of errors with type, code and parameters.

use http::StatusCode;
use octavo_platform::ApiError;
use serde_json::{Value, json};

use crate::app::Failure;
use crate::query::Fault;

/// The response for a failure.
pub(super) fn of(failure: Failure) -> ApiError {
    match failure {
        Failure::Refused(Fault {
            message,
            parameter: Some((key, value)),
        }) => refused("RequestValidationException", &message, Some((key, &value))),
        Failure::Refused(Fault { message, .. }) => {
            refused("IllegalArgumentException", &message, None)
        }
        Failure::NoSuchJob(id) => errors(
            StatusCode::NOT_FOUND,
            json!({"message": format!("Unable to find ResourceIdsJob with id {}", cut(&id)),
                   "type": "EntityNotFoundException", "code": "not_found_error"}),
        ),
        Failure::Service(message) => errors(
            StatusCode::BAD_REQUEST,
            json!({"message": cut(&message), "type": "SearchServiceException",
                   "code": "service_error"}),
        ),
        Failure::Unprocessable(fault) => {
            let mut error = json!({"message": cut(&fault.message), "type": "ValidationException",
                                   "code": "validation_error"});
            if let Some((key, value)) = fault.parameter {
                error["parameters"] = json!([{"key": key, "value": cut(&value)}]);
            }
            errors(StatusCode::UNPROCESSABLE_ENTITY, error)
        }
        Failure::Missing(message) => errors(
            StatusCode::NOT_FOUND,
            json!({"message": cut(&message), "type": "EntityNotFoundException",
                   "code": "not_found_error"}),
        ),
        Failure::Store(error) => match error {
            octavo_records::StoreError::Query(message) => {
                refused("IllegalArgumentException", &message, None)
            }
            other => other.into(),
        },
    }
}

/// A missing required parameter.
pub(super) fn missing(name: &str) -> ApiError {
    let message = format!(
        "Required request parameter '{name}' for method parameter type String is not present"
    );
    refused("MissingServletRequestParameterException", &message, None)
}

/// An invalid body.
pub(super) fn no_form(reason: &str) -> ApiError {
    refused("HttpMessageNotReadableException", reason, None)
}

/// A number outside its bounds.
pub(super) fn constraint(name: &str, side: &str, bound: i64) -> ApiError {
    let message = format!("{name} must be {side} than or equal to {bound}");
    refused("ConstraintViolationException", &message, None)
}

/// A text instead of a number.
pub(super) fn no_number(name: &str, value: &str) -> ApiError {
    let message = format!("{name} must be a whole number, not {}", cut(value));
    refused("MethodArgumentTypeMismatchException", &message, None)
}

/// A text instead of a boolean.
pub(super) fn no_flag(name: &str, value: &str) -> ApiError {
    let message = format!("{name} must be true or false, not {}", cut(value));
    refused("MethodArgumentTypeMismatchException", &message, None)
}

fn refused(kind: &str, message: &str, parameter: Option<(&str, &str)>) -> ApiError {
    let mut error = json!({"message": cut(message), "type": kind, "code": "validation_error"});
    if let Some((key, value)) = parameter {
        error["parameters"] = json!([{"key": key, "value": cut(value)}]);
    }
    errors(StatusCode::BAD_REQUEST, error)
}

fn errors(status: StatusCode, error: Value) -> ApiError {
    ApiError::Json(status, json!({"errors": [error], "total_records": 1}))
}

/// Shortens a client's value for an error.
fn cut(text: &str) -> String {
    text.chars().take(1_000).collect()
}
