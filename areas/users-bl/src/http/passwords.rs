//! `/bl-users/settings/myprofile/password` and `/bl-users/password-reset/…`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::audit::AuditEvent;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::refusal::{self, codes_as_messages, list};
use crate::app::change_own_password::change_own_password;
use crate::app::reset_by_link::{reset_by_link, validate_link};
use crate::app::send_link::send_link;
use crate::app::{Failure, Refusal, users};

/// The body of a password change. It has no `Debug`: passwords belong in no log.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    username: Option<String>,
    user_id: Option<Uuid>,
    password: Option<String>,
    new_password: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ForWhom {
    user_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewPassword {
    new_password: Option<String>,
}

/// 204.
///
/// # Errors
/// 400 with the violated rule, 401 when the old one is wrong.
pub async fn change(call: Call) -> Result<Response, ApiError> {
    let sent: Change = call.json_as()?;
    let user = match (sent.user_id, &sent.username) {
        (Some(id), _) => users::by_id(&call, id).await?,
        (None, Some(name)) => {
            let found = users::locate(&call, &["username".to_owned()], name).await;
            found.map_err(refusal::of)?.pop()
        }
        (None, None) => {
            return Err(ApiError::bad_request(
                "You must provide a username or userId",
            ));
        }
    };
    let wrong = || refusal::of(Refusal::WrongPassword.into());
    let user = user.ok_or_else(wrong)?;
    let id = user["id"].as_str().and_then(|id| Uuid::try_parse(id).ok());
    let id = id.ok_or_else(wrong)?;
    let old = sent.password.unwrap_or_default();
    let new = sent.new_password.unwrap_or_default();
    match change_own_password(&call, &user, id, (&old, &new)).await {
        Ok(()) => {
            call.audit(
                AuditEvent::Password,
                Some(id.to_string()),
                Some("changed".to_owned()),
            );
            Ok(empty(StatusCode::NO_CONTENT))
        }
        // FOLIO answers 400 here, and 422 in the other routes.
        Err(Failure::Refused(Refusal::WeakPassword(codes))) => Err(ApiError::Errors(
            StatusCode::BAD_REQUEST,
            list(&codes_as_messages(codes)),
        )),
        Err(failure) => Err(refusal::of(failure)),
    }
}

/// 200 with the link, which the user was sent too.
///
/// # Errors
/// 422 when there is no such user, or one without a username.
pub async fn link(call: Call) -> Result<Response, ApiError> {
    let sent: ForWhom = call.json_as()?;
    let needed = || ApiError::invalid("must not be null", "userId", "null");
    let shown = sent.user_id.ok_or_else(needed)?;
    let user: Option<Value> = match Uuid::try_parse(&shown) {
        Ok(id) => users::by_id(&call, id).await?,
        Err(_) => None,
    };
    let Some(user) = user else {
        let shown: String = shown.chars().take(100).collect();
        return Err(refusal::unprocessable(&[(
            "user.not-found".to_owned(),
            format!("User with id '{shown}' not found"),
        )]));
    };
    let link = send_link(&call, &user).await.map_err(refusal::of)?;
    Ok(pretty(StatusCode::OK, &json!({"link": link})))
}

/// 204 when the caller's token belongs to a valid link.
///
/// # Errors
/// 422 when it is not.
pub async fn validate(call: Call) -> Result<Response, ApiError> {
    validate_link(&call).await.map_err(refusal::of)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204; the password is set and the link used.
///
/// # Errors
/// 422 when the link cannot be used or the password violates a rule.
pub async fn reset(call: Call) -> Result<Response, ApiError> {
    let sent: NewPassword = call.json_as()?;
    let needed = || ApiError::invalid("must not be null", "newPassword", "null");
    let password = sent.new_password.ok_or_else(needed)?;
    let done = reset_by_link(&call, &password).await;
    done.map_err(refusal::of)?;
    call.audit(AuditEvent::Password, None, Some("set by a link".to_owned()));
    Ok(empty(StatusCode::NO_CONTENT))
}
