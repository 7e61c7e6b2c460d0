//! `/authn/loginAttempts/{id}`: the failed log-ins of a user.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};

use crate::store::attempts::of_user;

/// 200 with the record of a user, by the user's id.
///
/// # Errors
/// 404 when the user never tried to log in.
pub async fn login_attempts(call: Call) -> Result<Response, ApiError> {
    let id: String = call.segment("id").chars().take(100).collect();
    match of_user(&call.store().database, &call.tenant, &id).await? {
        Some(record) => Ok(pretty(StatusCode::OK, &record)),
        None => Err(ApiError::text(
            StatusCode::NOT_FOUND,
            format!("No user login attempts found for id {id}"),
        )),
    }
}
