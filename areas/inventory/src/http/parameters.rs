//! Parameters that are neither numbers nor CQL.

use octavo_platform::{ApiError, Call, incorrect};

/// A switch that is `true` or `false`.
pub(super) fn flag(call: &Call, name: &str, default: bool) -> Result<bool, ApiError> {
    match call.parameter(name)?.as_deref() {
        None => Ok(default),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(other) => Err(incorrect(name, other, "must be true or false")),
    }
}
