//! mod-email's timers.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};

use crate::app::dispatch::work;
use crate::store::dispatch::wake_failed;

/// Renders and sends what is queued. Most is sent earlier, by the worker that queuing starts.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn send_waiting(call: Call) -> Result<Response, ApiError> {
    work(&call).await?;
    Ok(empty(StatusCode::ACCEPTED))
}

/// Retries failed messages that have attempts left.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn retry_failed(call: Call) -> Result<Response, ApiError> {
    let woken = wake_failed(&call.writer().database, &call.tenant).await?;
    if woken > 0 {
        tracing::info!(
            tenant = call.tenant.id(),
            woken,
            "messages that failed are tried again"
        );
        work(&call).await?;
    }
    Ok(empty(StatusCode::ACCEPTED))
}
