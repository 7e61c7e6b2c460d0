//! `/organizations-storage/interfaces/{id}/credentials`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call};

use crate::app::credentials;

/// The credentials of an interface.
///
/// # Errors
/// 404 when it has none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let stored = credentials::read(&call.writer_context(), call.id()?).await?;
    Ok(json_bytes(StatusCode::OK, stored))
}

/// New credentials of an interface.
///
/// # Errors
/// 400 when they name another interface, when it does not exist or has credentials.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let interface = call.id()?;
    let document = call.record()?;
    let (_, stored) = credentials::create(&call.context(), interface, document).await?;
    let path = format!("/organizations-storage/interfaces/{interface}/credentials");
    Ok(created(stored, &path))
}

/// Replaced credentials of an interface.
///
/// # Errors
/// 400 when they name another interface, 404 when it has none.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let interface = call.id()?;
    let document = call.record()?;
    credentials::replace(&call.context(), interface, document).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Deleted credentials of an interface.
///
/// # Errors
/// 404 when it has none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    credentials::remove(&call.context(), call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
