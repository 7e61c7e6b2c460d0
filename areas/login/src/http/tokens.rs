//! mod-authtoken's own routes, by which other modules have tokens signed, exchanged and revoked.
//!
//! Signing is for modules: a caller that may sign tokens can act as any user. Therefore the permission
//! must be in the module's token; a user's own permissions do not count.

use axum::response::Response;
use http::StatusCode;
use octavo_library::UserId;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use serde::Deserialize;
use serde_json::json;

use super::cookies::instant;
use crate::app::log_out::{log_out, log_out_everywhere};
use crate::app::refresh::refresh as exchange;
use crate::app::sign::{TokenUser, Tokens, begin_session, sign_dummy, sign_legacy};

#[derive(Deserialize)]
struct Request {
    payload: Payload,
}

#[derive(Deserialize)]
struct Payload {
    sub: String,
    #[serde(default)]
    user_id: Option<UserId>,
    #[serde(default)]
    dummy: bool,
    #[serde(default)]
    extra_permissions: Vec<String>,
}

#[derive(Deserialize)]
struct ForRefresh {
    sub: String,
    user_id: UserId,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Refresh {
    refresh_token: String,
}

/// 201 with a token without expiration, for a user or without one.
///
/// # Errors
/// 401 without the permission in the token, 404 where legacy tokens are disabled.
pub async fn sign_endless(call: Call) -> Result<Response, ApiError> {
    require(&call, "/token", "auth.token.post")?;
    if !call.platform.identities.login.legacy.has(call.tenant.id()) {
        return Err(ApiError::text(
            StatusCode::NOT_FOUND,
            "Error: Tenant not a legacy token tenant as specified in this module's environment or \
             system property. Cannot issue non-expiring legacy token.",
        ));
    }
    let payload = call.json_as::<Request>()?.payload;
    let token = if payload.dummy {
        let Payload {
            sub,
            extra_permissions,
            ..
        } = payload;
        sign_dummy(&call.platform, &call.tenant, &sub, extra_permissions, true).await?
    } else {
        let user = user_of(payload.sub, payload.user_id)?;
        let signed = sign_legacy(&call.platform, &call.tenant, &user).await?;
        signed.ok_or_else(|| inactive(&user))?
    };
    Ok(pretty(StatusCode::CREATED, &json!({"token": token})))
}

/// 201 with the tokens of a new session, or with a token without a user.
///
/// # Errors
/// 401 without the permission in the token.
pub async fn sign(call: Call) -> Result<Response, ApiError> {
    require(&call, "/token/sign", "auth.token.sign.post")?;
    let payload = call.json_as::<Request>()?.payload;
    if payload.dummy {
        let Payload {
            sub,
            extra_permissions,
            ..
        } = payload;
        let signing = sign_dummy(&call.platform, &call.tenant, &sub, extra_permissions, false);
        let token = signing.await?;
        return Ok(pretty(StatusCode::CREATED, &json!({"token": token})));
    }
    let user = user_of(payload.sub, payload.user_id)?;
    let begun = begin_session(&call.platform, &call.tenant, &user).await?;
    Ok(signed(&call, &begun.ok_or_else(|| inactive(&user))?))
}

/// 201 with a refresh token for one use.
///
/// # Errors
/// 401 without the permission in the token.
pub async fn sign_refresh(call: Call) -> Result<Response, ApiError> {
    require(&call, "/refreshtoken", "auth.refreshtoken.post")?;
    let ForRefresh { sub, user_id } = call.json_as()?;
    let user = user_of(sub, Some(user_id))?;
    let begun = begin_session(&call.platform, &call.tenant, &user).await?;
    let tokens = begun.ok_or_else(|| inactive(&user))?;
    let body = json!({"refreshToken": tokens.refresh});
    Ok(pretty(StatusCode::CREATED, &body))
}

/// 201 with the next tokens of a session.
///
/// # Errors
/// 401 without the permission in the token, and for a used or expired refresh token.
pub async fn refresh(call: Call) -> Result<Response, ApiError> {
    require(&call, "/token/refresh", "auth.token.refresh.post")?;
    let Refresh { refresh_token } = call.json_as()?;
    match exchange(&call.platform, &call.tenant, &refresh_token).await? {
        Some(tokens) => Ok(signed(&call, &tokens)),
        None => Err(invalid()),
    }
}

/// 204 after ending the session of a refresh token.
///
/// # Errors
/// 401 when it is not a refresh token of the tenant.
pub async fn invalidate(call: Call) -> Result<Response, ApiError> {
    let Refresh { refresh_token } = call.json_as()?;
    let verified = call
        .platform
        .identities
        .verify_ended_refresh(&refresh_token)
        .await;
    let claims = verified.map_err(|_| invalid())?;
    if claims.tenant != call.tenant.id() {
        return Err(ApiError::text(StatusCode::FORBIDDEN, "Invalid token"));
    }
    log_out(&call.platform, &call.tenant, &claims).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204 after ending all sessions of the caller.
///
/// # Errors
/// 401 for a token that is not a user's.
pub async fn invalidate_all(call: Call) -> Result<Response, ApiError> {
    let user_id = call.user_id().ok_or_else(invalid)?;
    log_out_everywhere(&call.platform, &call.tenant, user_id.into()).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn require(call: &Call, path: &str, permission: &str) -> Result<(), ApiError> {
    let granted = call.identity.as_ref().is_some_and(|identity| {
        let own = &identity.claims.extra_permissions;
        own.iter().any(|name| name == permission)
    });
    if granted {
        return Ok(());
    }
    Err(ApiError::text(
        StatusCode::UNAUTHORIZED,
        format!("Missing required module-level permissions for endpoint '{path}': {permission}"),
    ))
}

fn user_of(username: String, user_id: Option<UserId>) -> Result<TokenUser, ApiError> {
    match user_id {
        Some(user_id) => Ok(TokenUser { user_id, username }),
        None => Err(ApiError::bad_request(
            "payload.user_id is missing; name the user whose token it is, or send dummy: true",
        )),
    }
}

fn inactive(user: &TokenUser) -> ApiError {
    ApiError::bad_request(format!("User with id {} is not active", user.user_id))
}

fn invalid() -> ApiError {
    ApiError::text(StatusCode::UNAUTHORIZED, "Invalid token")
}

fn signed(call: &Call, tokens: &Tokens) -> Response {
    let body = json!({
        "accessToken": tokens.access,
        "refreshToken": tokens.refresh,
        "accessTokenExpiration": instant(tokens.access_ends),
        "refreshTokenExpiration": instant(tokens.refresh_ends),
        "tenantId": call.tenant.id(),
    });
    pretty(StatusCode::CREATED, &body)
}
