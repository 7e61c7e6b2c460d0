//! The timer of the backfill.

use ::http::StatusCode;
use axum::response::Response;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};

use super::place;
use crate::app;

/// Backfills remaining records.
pub async fn fill(call: Call) -> Result<Response, ApiError> {
    app::fill::fill(place(&call)).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
