//! `/batch-voucher-storage/export-configurations/{id}/credentials`, and those of mod-invoice, which never shows
//! a password.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, pretty};
use octavo_platform::{Answer, ApiError, Call};
use serde_json::Value;

use super::refusal::listed;
use crate::app::credentials::{self, Mismatch};

const STORED: &str = "/batch-voucher-storage/export-configurations";
const BUSINESS: &str = "/batch-voucher/export-configurations";

impl Answer for Mismatch {
    fn answer(self) -> ApiError {
        ApiError::bad_request("Batch voucher export configuration credentials id mismatch")
    }
}

/// The credentials of a configuration with their password.
///
/// # Errors
/// 404 when it has none.
pub async fn stored(call: Call) -> Result<Response, ApiError> {
    let found = credentials::read(&call.writer_context(), call.id()?).await?;
    Ok(pretty(StatusCode::OK, &Value::Object(found)))
}

/// The credentials of a configuration without their password.
///
/// # Errors
/// 404 when it has none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(listed)?;
    let found = credentials::read(&call.writer_context(), id).await;
    let mut found = found.map_err(|error| listed(error.into()))?;
    found.shift_remove("password");
    Ok(pretty(StatusCode::OK, &Value::Object(found)))
}

/// New credentials.
///
/// # Errors
/// 400 when they name another configuration, or it has credentials.
pub async fn create_stored(call: Call) -> Result<Response, ApiError> {
    make(&call, STORED).await
}

/// The same for mod-invoice.
///
/// # Errors
/// As [`create_stored`].
pub async fn create(call: Call) -> Result<Response, ApiError> {
    make(&call, BUSINESS).await.map_err(listed)
}

async fn make(call: &Call, base: &str) -> Result<Response, ApiError> {
    let id = call.id()?;
    let (_, stored) = credentials::create(&call.context(), id, call.record()?).await?;
    Ok(created(stored, &format!("{base}/{id}/credentials")))
}

/// Replaced credentials.
///
/// # Errors
/// 400 when they name another configuration, 404 when there are none.
pub async fn replace_stored(call: Call) -> Result<Response, ApiError> {
    change(&call).await
}

/// The same for mod-invoice.
///
/// # Errors
/// As [`replace_stored`].
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    change(&call).await.map_err(listed)
}

async fn change(call: &Call) -> Result<Response, ApiError> {
    credentials::replace(&call.context(), call.id()?, call.record()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Deleted credentials.
///
/// # Errors
/// 404 when there are none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    credentials::remove(&call.context(), call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
