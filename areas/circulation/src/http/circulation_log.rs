//! `GET /audit-data/circulation/logs`: the circulation log.

use http::StatusCode;
use octavo_platform::ApiError;
use octavo_platform::records_http::{Hooks, Refused};
use octavo_records::StoreError;
use serde_json::json;

use crate::store::journal::lines;

/// Lines always have a user; invalid queries have a special form here.
pub const HOOKS: Hooks = Hooks {
    page: Some(lines),
    wording,
    ..Hooks::NONE
};

fn wording(refused: Refused<'_>) -> ApiError {
    match refused.error {
        StoreError::Query(message) => ApiError::Json(
            StatusCode::BAD_REQUEST,
            json!({"message": message, "code": "HTTP_BAD_REQUEST", "parameters": []}),
        ),
        other => other.into(),
    }
}
