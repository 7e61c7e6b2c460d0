//! `/patron-pin`: the number with which a patron authenticates at a self-check machine. It is in no
//! response and in no log.

use axum::response::Response;
use http::StatusCode;
use octavo_library::UserId;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use serde_json::Value;

use crate::app::UserContext;
use crate::app::keep_pins::{self, PIN_BYTES_MAX};

/// POST `/patron-pin`: 201 with nothing, whether or not the user had one.
///
/// # Errors
/// 422 when id or pin is missing.
pub async fn set(call: Call) -> Result<Response, ApiError> {
    let body = call.json()?;
    let (user, pin) = (user(&body)?, pin(&body)?);
    keep_pins::set(&UserContext::of(&call), user, pin).await?;
    Ok(empty(StatusCode::CREATED))
}

/// DELETE `/patron-pin`: 200 with nothing, whether or not the user had one.
///
/// # Errors
/// 422 when the id is missing.
pub async fn remove(call: Call) -> Result<Response, ApiError> {
    let user = user(&call.json()?)?;
    keep_pins::remove(&UserContext::of(&call), user).await?;
    Ok(empty(StatusCode::OK))
}

/// POST `/patron-pin/verify`: 200 with nothing when it is the user's, 422 with nothing when not.
///
/// # Errors
/// 422 when id or pin is missing.
pub async fn verify(call: Call) -> Result<Response, ApiError> {
    let body = call.json()?;
    let (user, pin) = (user(&body)?, pin(&body)?);
    let right = keep_pins::verify(&UserContext::of(&call), user, pin).await?;
    Ok(empty(match right {
        true => StatusCode::OK,
        false => StatusCode::UNPROCESSABLE_ENTITY,
    }))
}

fn user(body: &Value) -> Result<UserId, ApiError> {
    let text = body["id"].as_str().unwrap_or_default();
    let shown: String = text.chars().take(100).collect();
    UserId::parse(text)
        .ok_or_else(|| ApiError::invalid("must be the UUID of the user", "id", shown))
}

/// The error does not quote the value: it may be another patron's pin.
fn pin(body: &Value) -> Result<String, ApiError> {
    match body["pin"].as_str() {
        Some(pin) if !pin.is_empty() && pin.len() <= PIN_BYTES_MAX => Ok(pin.to_owned()),
        _ => Err(ApiError::invalid(
            format!("must be a text of 1 to {PIN_BYTES_MAX} bytes"),
            "pin",
            "",
        )),
    }
}
