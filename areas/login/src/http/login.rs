//! `/authn/login` and `/authn/login-with-expiry`.

use axum::response::Response;
use http::{HeaderValue, StatusCode};
use octavo_library::UserId;
use octavo_platform::audit::{AuditEvent, Event};
use octavo_platform::gateway::TOKEN;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::json;
use uuid::Uuid;

use super::cookies;
use crate::app::log_in::{Credentials, Outcome, log_in};
use crate::app::sign::{TokenUser, begin_session, sign_legacy};

/// FOLIO's response to every kind of failed log-in: it does not reveal which names exist.
const REFUSED: (&str, &str) = (
    "Wrong username or wrong password or account blocked",
    "wrong.username.or.wrong.password.or.account.blocked",
);

/// 201 with a token without expiration, in the body and in the header.
///
/// # Errors
/// 400 for an incomplete request, 422 when the log-in fails, 404 where legacy tokens are disabled.
pub async fn login(call: Call) -> Result<Response, ApiError> {
    let user = proved(&call).await?;
    if !call.platform.identities.login.legacy.has(call.tenant.id()) {
        return Err(ApiError::not_found());
    }
    let signed = sign_legacy(&call.platform, &call.tenant, &user).await?;
    let token = signed.ok_or_else(refused)?;
    let mut response = pretty(StatusCode::CREATED, &json!({"okapiToken": token}));
    let value = HeaderValue::try_from(token).map_err(|error| ApiError::fault(error))?;
    response.headers_mut().insert(TOKEN, value);
    Ok(response)
}

/// 201 with the tokens in cookies and their expirations in the body.
///
/// # Errors
/// 400 for an incomplete request, 422 when the log-in fails.
pub async fn login_with_expiry(call: Call) -> Result<Response, ApiError> {
    let user = proved(&call).await?;
    let begun = begin_session(&call.platform, &call.tenant, &user).await?;
    cookies::with_tokens(&call, &begun.ok_or_else(refused)?)
}

async fn proved(call: &Call) -> Result<TokenUser, ApiError> {
    let mut credentials: Credentials = call.json_as()?;
    credentials.address = call.address;
    let name = credentials.username.as_deref().unwrap_or_default();
    if name.trim().is_empty() && credentials.user_id.is_none() {
        return Err(ApiError::bad_request(
            "You must provide a username or userId",
        ));
    }
    if credentials.password.as_deref().is_none_or(str::is_empty) {
        return Err(ApiError::bad_request("You must provide a password"));
    }
    match log_in(&call.platform, &call.tenant, &credentials).await? {
        Outcome::Proved(user) => {
            note(call, AuditEvent::LogIn, Some(user.user_id), None);
            Ok(user)
        }
        Outcome::Refused { user_id, blocked } => {
            // An unknown name may be a password typed into the wrong field: it is not logged.
            let why = match (user_id, blocked) {
                (_, true) => "one failure too many",
                (Some(_), false) => "wrong password",
                (None, false) => "nobody who may log in",
            };
            note(call, AuditEvent::LogInFailed, user_id, Some(why));
            Err(refused())
        }
    }
}

/// Writes a log-in to the audit log.
fn note(call: &Call, kind: AuditEvent, user_id: Option<UserId>, detail: Option<&str>) {
    call.note(Event {
        user_id: user_id.map(Uuid::from),
        address: call.address,
        detail: detail.map(str::to_owned),
        ..Event::new(kind)
    });
}

fn refused() -> ApiError {
    let (message, code) = REFUSED;
    listed(StatusCode::UNPROCESSABLE_ENTITY, message, code)
}

/// A refusal in the form of this module: one error with a code.
pub(super) fn listed(status: StatusCode, message: &str, code: &str) -> ApiError {
    let error = json!({"message": message, "type": "error", "code": code, "parameters": []});
    ApiError::Errors(status, vec![error])
}
