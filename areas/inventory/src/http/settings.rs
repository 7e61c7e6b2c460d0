//! `/inventory-settings`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call};
use serde_json::Value;

use crate::app::change_setting;
use crate::rules::form::unrecognized;

/// GET: a setting by its key.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let stored = change_setting::read_setting(&call.context(), call.segment("key")).await?;
    Ok(json_bytes(StatusCode::OK, stored))
}

/// PATCH: another value.
pub async fn patch(call: Call) -> Result<Response, ApiError> {
    let form = call.record()?;
    let Value::Object(form) = &form else {
        return Err(ApiError::invalid("must be of type object", "", ""));
    };
    if let Some((sentence, other)) = unrecognized(form, &["value"]) {
        return Err(ApiError::invalid(sentence, other, ""));
    }
    let value = form.get("value").filter(|value| !value.is_null());
    let value = value.ok_or_else(|| ApiError::invalid("must not be null", "value", "null"))?;
    change_setting::change_setting(&call.context(), call.segment("key"), value).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
