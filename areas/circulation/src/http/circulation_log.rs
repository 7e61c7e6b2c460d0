//! `GET /audit-data/circulation/logs`: the circulation log.

use http::StatusCode;
use octavo_platform::ApiError;
use octavo_platform::records_http::{Hooks, Refused};
use octavo_records::StoreError;
use serde_json::json;

use crate::store::journal::{lines, look_among_patrons};

/// Lines always have a user, parts of barcodes are looked up among the log's own, and bad queries have a form
/// of their own here.
pub const HOOKS: Hooks = Hooks {
    page: Some(lines),
    plan: Some(|_, logs, plan| {
        look_among_patrons(logs, &mut plan.predicate);
        Ok(())
    }),
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
