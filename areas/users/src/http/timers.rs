//! The timers of mod-users.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};

use crate::app::{UserContext, expire_users, keep_pictures};

/// Makes users inactive whose membership has ended.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn expire(call: Call) -> Result<Response, ApiError> {
    let expired = expire_users::expire_users(&UserContext::of(&call)).await?;
    if expired > 0 {
        tracing::info!(tenant = call.tenant.id(), expired, "users became inactive");
    }
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Does nothing: events are written into the platform's outbox with the change itself.
pub async fn process_outbox(_: Call) -> Result<Response, ApiError> {
    Ok(empty(StatusCode::OK))
}

/// Removes pictures that no user has.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn clear_pictures(call: Call) -> Result<Response, ApiError> {
    let removed = keep_pictures::clear_unused(&UserContext::of(&call)).await?;
    if removed > 0 {
        tracing::info!(
            tenant = call.tenant.id(),
            removed,
            "unused pictures were removed"
        );
    }
    Ok(empty(StatusCode::OK))
}
