//! `/authn/login` and `/authn/login-with-expiry`.

use axum::response::Response;
use http::header::SET_COOKIE;
use http::{HeaderValue, StatusCode};
use jiff::{SignedDuration, Timestamp};
use octavo_platform::gateway::{ACCESS_COOKIE, TOKEN};
use octavo_platform::respond::pretty;
use octavo_platform::token::Claims;
use octavo_platform::{ApiError, Call};
use octavo_records::instant;
use serde_json::json;
use uuid::Uuid;

use crate::app::log_in::{Credentials, LoggedIn, log_in};

/// How long an access token lasts: FOLIO's default, 10 minutes.
const ACCESS_SECONDS: i64 = 600;
/// The code of FOLIO's one answer to every kind of failed log-in.
const REFUSED: &str = "wrong.username.or.wrong.password.or.account.blocked";

/// 201 with a token that does not expire, in the body and in the header.
///
/// # Errors
/// 400 for an incomplete request, 422 when the log-in fails.
pub async fn login(call: Call) -> Result<Response, ApiError> {
    let user = verified(&call).await?;
    let token = sign(&call, &user, "legacy-access", None)?;
    let mut response = pretty(StatusCode::CREATED, &json!({"okapiToken": token}));
    let value = HeaderValue::try_from(token).map_err(|e| ApiError::Internal(e.to_string()))?;
    response.headers_mut().insert(TOKEN, value);
    Ok(response)
}

/// 201 with the token in a cookie and its end in the body.
///
/// # Errors
/// As [`login`].
pub async fn login_with_expiry(call: Call) -> Result<Response, ApiError> {
    let user = verified(&call).await?;
    let ends = Timestamp::now() + SignedDuration::from_secs(ACCESS_SECONDS);
    let token = sign(&call, &user, "access", Some(ends))?;
    let body = json!({"accessTokenExpiration": instant::format(ends)});
    let mut response = pretty(StatusCode::CREATED, &body);
    let cookie = format!(
        "{ACCESS_COOKIE}={token}; Max-Age={ACCESS_SECONDS}; Path=/; HttpOnly; Secure; SameSite=Lax"
    );
    let value = HeaderValue::try_from(cookie).map_err(|e| ApiError::Internal(e.to_string()))?;
    response.headers_mut().append(SET_COOKIE, value);
    Ok(response)
}

async fn verified(call: &Call) -> Result<LoggedIn, ApiError> {
    let credentials: Credentials = call.json_as()?;
    let name = credentials
        .username
        .clone()
        .filter(|name| !name.trim().is_empty());
    if name.is_none() && credentials.user_id.is_none() {
        return Err(ApiError::bad_request(
            "You must provide a username or userId",
        ));
    }
    if credentials.password.as_deref().is_none_or(str::is_empty) {
        return Err(ApiError::bad_request("You must provide a password"));
    }
    match log_in(&call.platform, &call.tenant, &credentials).await? {
        Some(user) => Ok(user),
        None => Err(ApiError::Errors(
            StatusCode::UNPROCESSABLE_ENTITY,
            vec![json!({
                "message": "The user name or the password is wrong, or the account is blocked",
                "type": "error",
                "code": REFUSED,
                "parameters": [{"key": "username", "value": name.unwrap_or_default()}],
            })],
        )),
    }
}

fn sign(
    call: &Call,
    user: &LoggedIn,
    kind: &str,
    ends: Option<Timestamp>,
) -> Result<String, ApiError> {
    let claims = Claims {
        sub: user.username.clone(),
        user_id: user.user_id,
        tenant: call.tenant.id().to_owned(),
        kind: kind.to_owned(),
        iat: Timestamp::now().as_second(),
        exp: ends.map(Timestamp::as_second),
        jti: Uuid::new_v4(),
    };
    call.platform
        .signer
        .sign(&claims)
        .map_err(|error| ApiError::Internal(error.to_string()))
}
