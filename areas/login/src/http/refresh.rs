//! `/authn/refresh`, `/authn/logout` and `/authn/logout-all`: refreshing and log-out by cookies.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::COOKIE;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};

use super::cookies;
use super::login::listed;
use crate::app::log_out::{log_out, log_out_everywhere};
use crate::app::refresh::refresh as exchange;

/// 201 with new tokens in cookies, for the refresh token of a cookie.
///
/// # Errors
/// 400 without that cookie, 422 for a used or expired token.
pub async fn refresh(call: Call) -> Result<Response, ApiError> {
    let token = cookies::refresh_token(&call.headers)
        .ok()
        .flatten()
        .ok_or_else(unreadable)?;
    match exchange(&call.platform, &call.tenant, token).await? {
        Some(tokens) => cookies::with_tokens(&call, &tokens),
        // Clears the invalid cookies, else the browser would keep sending them.
        None => Ok(cookies::clear(unrefreshed().into_response())),
    }
}

/// 204 after ending the session of the refresh token, or without cookies that of the caller's token.
///
/// # Errors
/// 400 for cookies without a refresh token, 422 when there is no session.
pub async fn logout(call: Call) -> Result<Response, ApiError> {
    let identity = call.identity.as_ref();
    let token = cookies::refresh_token(&call.headers).map_err(|()| unreadable())?;
    if token.is_none() && identity.is_none() && call.headers.contains_key(COOKIE) {
        return Err(unreadable());
    }
    let mut ended = false;
    if let Some(token) = token {
        let claims = call
            .platform
            .identities
            .verify_ended_refresh(token)
            .await
            .ok();
        let claims = claims.filter(|claims| claims.tenant == call.tenant.id());
        if let Some(claims) = claims {
            ended |= log_out(&call.platform, &call.tenant, &claims).await?;
        }
    }
    if let Some(identity) = identity {
        ended |= log_out(&call.platform, &call.tenant, &identity.claims).await?;
    }
    if ended {
        logged_out()
    } else {
        Err(not_ended())
    }
}

/// 204 after ending all sessions of the caller.
///
/// # Errors
/// 422 without a token of a user.
pub async fn logout_all(call: Call) -> Result<Response, ApiError> {
    let user_id = call.user_id().ok_or_else(not_ended)?;
    log_out_everywhere(&call.platform, &call.tenant, user_id.into()).await?;
    logged_out()
}

fn logged_out() -> Result<Response, ApiError> {
    Ok(cookies::clear(empty(StatusCode::NO_CONTENT)))
}

fn unreadable() -> ApiError {
    listed(
        StatusCode::BAD_REQUEST,
        "Bad request",
        "token.parse.failure",
    )
}

fn unrefreshed() -> ApiError {
    listed(
        StatusCode::UNPROCESSABLE_ENTITY,
        "Authorization server unable to process token refresh request",
        "token.refresh.unprocessable",
    )
}

fn not_ended() -> ApiError {
    listed(
        StatusCode::UNPROCESSABLE_ENTITY,
        "Authorization server unable to process token logout request",
        "token.logout.unprocessable",
    )
}
