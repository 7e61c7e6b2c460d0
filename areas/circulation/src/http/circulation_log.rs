//! `GET /audit-data/circulation/logs`: the circulation log. `POST /audit/handlers/log-record`: acts that other
//! programs publish.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::{Hooks, Refused};
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::json;

use super::desk;
use crate::app::log_record_events::{NotLogged, add_lines_of};
use crate::config_cache::ConfigCache;
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

/// 204: the lines of the event are in the log. What makes no line is passed over, as in FOLIO: pub-sub would try in
/// vain again.
///
/// # Errors
/// On a database error, so that the event comes again.
pub async fn log_record(call: Call) -> Result<Response, ApiError> {
    // No setting of circulation is read.
    let cache = ConfigCache::default();
    // FOLIO answers 204 to what is no JSON, too.
    let event = call.json().unwrap_or_default();
    match add_lines_of(desk(&call, &cache), event).await {
        Ok(()) => {}
        Err(NotLogged::Unfit(reason)) => {
            tracing::warn!(tenant = call.context().tenant.id(), %reason, "an event makes no line of the log");
        }
        Err(NotLogged::Store(error)) => return Err(error.into()),
    }
    Ok(empty(StatusCode::NO_CONTENT))
}
