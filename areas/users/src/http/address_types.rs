//! `/addresstypes`: deletion.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};

use super::refusal::refused;
use crate::app::UserContext;
use crate::app::delete_address_type::delete_address_type;

/// DELETE `/addresstypes/{id}`.
///
/// # Errors
/// 400 when a user has an address of it, 404 when there is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    delete_address_type(&UserContext::of(&call), id)
        .await
        .map_err(refused)?;
    Ok(empty(StatusCode::NO_CONTENT))
}
