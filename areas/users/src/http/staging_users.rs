//! `/staging-users`: self-registrations.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{json_bytes, pretty};
use octavo_platform::{ApiError, Call};
use serde_json::json;

use super::refusal::refused;
use crate::app::{Refusal, UserContext, merge_staging, register};

/// POST `/staging-users`.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    let stored = register::register(&UserContext::of(&call), document).await;
    Ok(json_bytes(StatusCode::CREATED, stored.map_err(refused)?))
}

/// PUT `/staging-users/{externalSystemId}`.
pub async fn change(call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    let identifier = call.segment("externalSystemId");
    let changed =
        register::change_registration(&UserContext::of(&call), identifier, document).await;
    let changed = changed.map_err(|refusal| match refusal {
        Refusal::NotFound { .. } => {
            ApiError::text(StatusCode::NOT_FOUND, "No matching user found for update.")
        }
        other => refused(other),
    })?;
    Ok(json_bytes(StatusCode::OK, changed))
}

/// PUT `/staging-users/{id}/mergeOrCreateUser?userId=`.
///
/// # Errors
/// 404 when registration or user is missing; 500 with mod-users' message when the home address type or
/// the group is missing.
pub async fn merge(call: Call) -> Result<Response, ApiError> {
    let user = call.parameter("userId")?.filter(|id| !id.is_empty());
    let id = call.segment("id");
    let merged = merge_staging::merge_staging(&UserContext::of(&call), id, user.as_deref()).await;
    let id = merged.map_err(refused)?;
    Ok(pretty(StatusCode::OK, &json!({"userId": id})))
}
