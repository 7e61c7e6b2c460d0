//! `/bl-users/login` and `/bl-users/login-with-expiry`: log-in with the composite user in the response.

use axum::body::to_bytes;
use axum::response::Response;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde::Deserialize;
use serde_json::{Value, json};

use super::composites::{no_record, parts};
use super::refusal;
use crate::app::composites::{Who, one};
use crate::store::composite::Form;

/// The largest body of a log-in's response, which is one or two tokens.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

#[derive(Deserialize)]
struct Sent {
    username: Option<String>,
    password: Option<String>,
}

/// 201 with the user; the token is in the header.
///
/// # Errors
/// Those of the log-in.
pub async fn login(call: Call) -> Result<Response, ApiError> {
    let username = username(&call)?;
    let answer = Box::pin(octavo_login::log_in(call.clone())).await?;
    with_user(&call, &username, answer).await
}

/// 201 with the user and the expirations of the tokens, which are in cookies.
///
/// # Errors
/// Those of the log-in.
pub async fn login_with_expiry(call: Call) -> Result<Response, ApiError> {
    let username = username(&call)?;
    let answer = Box::pin(octavo_login::log_in_with_expiry(call.clone())).await?;
    with_user(&call, &username, answer).await
}

fn username(call: &Call) -> Result<String, ApiError> {
    let sent: Sent = call.json_as()?;
    match (sent.username, sent.password) {
        (Some(username), Some(_)) => Ok(username),
        _ => Err(ApiError::bad_request("Improperly formatted request")),
    }
}

/// The log-in's response with its headers (tokens, cookies) and the user as body.
async fn with_user(call: &Call, username: &str, answer: Response) -> Result<Response, ApiError> {
    let (mut head, body) = answer.into_parts();
    if head.status != StatusCode::CREATED {
        return Ok(Response::from_parts(head, body));
    }
    let body = to_bytes(body, ANSWER_BYTES_MAX).await;
    let body = body.map_err(|error| ApiError::fault(error))?;
    let body_json: Value = serde_json::from_slice(&body).unwrap_or_default();
    let who = Who::Name(username);
    let found = one(call, call.writer(), who, parts(call)?, Form::LoggedIn).await;
    let mut user = found.map_err(refusal::of)?.ok_or_else(|| no_record(&who))?;
    user["tenant"] = json!(call.tenant.id());
    if let Some(access) = body_json.get("accessTokenExpiration") {
        user["tokenExpiration"] = json!({"accessTokenExpiration": access});
        if let Some(refresh) = body_json.get("refreshTokenExpiration") {
            user["tokenExpiration"]["refreshTokenExpiration"] = refresh.clone();
        }
    }
    let shown = pretty(StatusCode::CREATED, &user);
    head.headers.remove(http::header::CONTENT_LENGTH);
    if let Some(kind) = shown.headers().get(CONTENT_TYPE) {
        head.headers.insert(CONTENT_TYPE, kind.clone());
    }
    Ok(Response::from_parts(head, shown.into_body()))
}
