//! Requests and responses, no decisions.

pub mod actual_cost;
pub mod anonymization;
pub mod around_requests;
pub mod check_out_locks;
pub mod circulation_log;
pub mod desk;
pub mod loan_acts;
pub mod loan_history;
pub mod loan_records;
pub mod loans;
pub mod loss;
pub mod placing;
pub mod policies;
pub mod print_events;
pub mod renewal;
pub mod reports;
pub mod request_changes;
pub mod request_storage;
pub mod request_upkeep;
pub mod requests;
pub mod rules;
pub mod scan;
pub mod sessions;
pub mod settings;
mod slip;
pub mod timers;

use std::collections::HashSet;

use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::Value;
use uuid::Uuid;

use crate::app::operation_error::OperationError;
use crate::app::{Declined, Desk};
use crate::config_cache::ConfigCache;
use crate::refusal::OverridableBlock;
use crate::refusal::{DeskRefusal, Refusal};

/// The context of a request.
fn desk<'a>(call: &'a Call, cache: &'a ConfigCache) -> Desk<'a> {
    Desk {
        context: call.context(),
        cache,
    }
}

/// The permissions to override these blocks that the caller has.
fn overrides(call: &Call, blocks: &[OverridableBlock]) -> HashSet<String> {
    let permissions = blocks.iter().map(|block| block.permission());
    permissions
        .filter(|permission| call.has_permission(permission))
        .map(str::to_owned)
        .collect()
}

/// A response with a loan and its Location header.
fn located(status: StatusCode, loan: &Value) -> Response {
    let mut response = pretty(status, loan);
    let id = loan["id"].as_str().unwrap_or_default();
    if let Ok(value) = HeaderValue::try_from(format!("/circulation/loans/{id}")) {
        response.headers_mut().insert(header::LOCATION, value);
    }
    response
}

/// 200 with a record, or 404 with circulation's message.
fn shown(what: &'static str, id: Uuid, found: Option<Value>) -> Result<Response, ApiError> {
    match found {
        Some(record) => Ok(pretty(StatusCode::OK, &record)),
        None => Err(Declined::NotFound { what, id }.into()),
    }
}

/// 422 with one refusal.
fn unprocessable(refusal: &DeskRefusal) -> ApiError {
    ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, vec![refusal.to_error()])
}

impl From<OperationError> for ApiError {
    fn from(undone: OperationError) -> ApiError {
        match undone {
            OperationError::Store(error) => error.into(),
            OperationError::NotFound { .. } => {
                ApiError::text(StatusCode::NOT_FOUND, undone.to_string())
            }
            OperationError::Refused(refusal) => unprocessable(&refusal),
        }
    }
}

impl From<Declined> for ApiError {
    fn from(declined: Declined) -> ApiError {
        match declined {
            Declined::Store(error) => error.into(),
            Declined::Malformed { message } => ApiError::bad_request(message),
            Declined::NotFound { .. } => {
                ApiError::text(StatusCode::NOT_FOUND, declined.to_string())
            }
            Declined::Refused(refusals) => ApiError::Errors(
                StatusCode::UNPROCESSABLE_ENTITY,
                refusals.iter().map(Refusal::to_error).collect(),
            ),
        }
    }
}
