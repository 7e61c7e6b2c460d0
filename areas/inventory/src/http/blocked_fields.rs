//! `/inventory/config`: which fields a MARC record controls.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::json;

use crate::rules;

/// GET: those of instances.
pub async fn of_instances(_: Call) -> Result<Response, ApiError> {
    Ok(pretty(
        StatusCode::OK,
        &json!({"blockedFields": rules::blocked_fields()}),
    ))
}

/// GET: those of holdings.
pub async fn of_holdings(_: Call) -> Result<Response, ApiError> {
    Ok(pretty(
        StatusCode::OK,
        &json!({"blockedFields": rules::holdings_blocked_fields()}),
    ))
}
