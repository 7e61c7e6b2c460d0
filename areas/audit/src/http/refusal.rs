//! Refusals in mod-audit's form: `{"errors": [{"message", "code"}], "total_records": 1}`.

use http::StatusCode;
use octavo_platform::{Answer, ApiError};
use serde_json::json;

use crate::app::change_setting::Refused;

/// An error with a code of mod-audit's.
pub(super) fn refused(status: StatusCode, code: &str, message: &str) -> ApiError {
    let errors = json!({"errors": [{"message": message, "code": code}], "total_records": 1});
    ApiError::Json(status, errors)
}

/// 403 for a permission that the route only desires.
pub(super) fn lacking(permission: &str) -> ApiError {
    let message = format!("Permission '{permission}' required to perform this operation");
    refused(StatusCode::FORBIDDEN, "unauthorized", &message)
}

/// 404.
pub(super) fn missing(message: &str) -> ApiError {
    refused(StatusCode::NOT_FOUND, "notFound", message)
}

impl Answer for Refused {
    fn answer(self) -> ApiError {
        let invalid =
            |message: &str| refused(StatusCode::UNPROCESSABLE_ENTITY, "validation", message);
        match self {
            Refused::OtherSetting => {
                invalid("Setting group id or key does not match the path parameters")
            }
            Refused::Value(message) => invalid(message),
            Refused::Kind(kind) => invalid(&format!("Setting type should be {kind}")),
            Refused::Unknown { key, group } => missing(&format!(
                "Setting with key '{key}' in group '{group}' not found"
            )),
        }
    }
}
