//! Parameters that are neither numbers nor CQL.

use octavo_platform::{ApiError, Call};

/// A switch that is `true` or `false`.
pub(super) fn flag(call: &Call, name: &str, default: bool) -> Result<bool, ApiError> {
    match call.parameter(name)?.as_deref() {
        None => Ok(default),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(other) => Err(incorrect(name, other, "must be true or false")),
    }
}

/// 400 as FOLIO words it for a parameter.
pub(super) fn incorrect(name: &str, value: &str, why: &str) -> ApiError {
    let shown: String = value.chars().take(100).collect();
    ApiError::bad_request(format!(
        "'{name}' parameter is incorrect. parameter value {{{shown}}} is not valid: {why}"
    ))
}
