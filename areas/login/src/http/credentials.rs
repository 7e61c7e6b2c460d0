//! `/authn/credentials`, `/authn/update` and `/authn/password/repeatable`.

use axum::response::Response;
use http::StatusCode;
use octavo_library::{SessionId, UserId};
use octavo_platform::audit::AuditEvent;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use serde::Deserialize;
use serde_json::json;

use crate::app::change_password::{Change, Changed, change_password};
use crate::app::create_credentials::{
    create_credentials, has_credentials, remove_credentials, user_named,
};
use crate::app::log_in::Credentials;
use crate::app::password_history::was_used;

/// The error parameter's key for a user's id in mod-login, quotes included.
const USER_ID_KEY: &str = "'userId'";

/// The body of a password change. It has no `Debug`: passwords belong in no log.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewPassword {
    username: Option<String>,
    user_id: Option<UserId>,
    password: Option<String>,
    new_password: Option<String>,
}

/// The body of a comparison with earlier passwords.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Repeated {
    password: Option<String>,
    user_id: Option<String>,
}

/// 201 without a body.
///
/// # Errors
/// 422 without a password and when the user has one; 400 when there is no such user.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let sent: Credentials = call.json_as()?;
    let password = sent.password.filter(|password| !password.is_empty());
    let Some(password) = password else {
        let shown = sent.user_id.map(|id| id.to_string()).unwrap_or_default();
        return Err(ApiError::invalid(
            "Password is missing or empty",
            USER_ID_KEY,
            shown,
        ));
    };
    let user_id = user_id(&call, sent.user_id, sent.username.as_deref()).await?;
    let user_id = user_id
        .map_err(|message| ApiError::bad_request(format!("Error looking up user: {message}")))?;
    let (platform, tenant) = (&call.platform, &call.tenant);
    if create_credentials(platform, tenant, user_id, &password, &call.stamp()).await? {
        return Ok(empty(StatusCode::CREATED));
    }
    Err(ApiError::invalid(
        format!("There already exists credentials for user id '{user_id}'"),
        USER_ID_KEY,
        user_id.to_string(),
    ))
}

/// 204.
///
/// # Errors
/// 404 when the user has no password.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let shown = required(&call, "userId")?;
    let removed = match UserId::parse(&shown) {
        Some(id) => remove_credentials(&call.platform, &call.tenant, id).await?,
        None => false,
    };
    if removed {
        return Ok(empty(StatusCode::NO_CONTENT));
    }
    Err(ApiError::text(
        StatusCode::NOT_FOUND,
        format!("No credentials for userId {} found", cut(&shown)),
    ))
}

/// 200 with whether the user has a password.
///
/// # Errors
/// 400 without a user.
pub async fn existence(call: Call) -> Result<Response, ApiError> {
    let exist = match UserId::parse(&required(&call, "userId")?) {
        Some(id) => has_credentials(&call.platform, &call.tenant, id).await?,
        None => false,
    };
    Ok(pretty(StatusCode::OK, &json!({"credentialsExist": exist})))
}

/// 204.
///
/// # Errors
/// 400 for an incomplete request or an unknown user, 401 when the old password is wrong.
pub async fn update(call: Call) -> Result<Response, ApiError> {
    let sent: NewPassword = call.json_as()?;
    if sent.user_id.is_none() && sent.username.is_none() {
        return Err(ApiError::bad_request(
            "You must provide a username or userId",
        ));
    }
    let Some(new) = sent.new_password.filter(|password| !password.is_empty()) else {
        return Err(ApiError::bad_request(
            "You must provide a new password that isn't empty",
        ));
    };
    let user_id = user_id(&call, sent.user_id, sent.username.as_deref()).await?;
    let user_id = user_id.map_err(|message| {
        ApiError::bad_request(format!("Error verifying user existence: {message}"))
    })?;
    let old = sent.password.unwrap_or_default();
    let (platform, tenant) = (&call.platform, &call.tenant);
    let change = Change {
        user_id,
        old: &old,
        new: &new,
        other_than_before: false,
        spared: session_of(&call),
    };
    let stamp = call.stamp();
    match change_password(platform, tenant, change, &stamp).await? {
        Changed::Yes => {
            call.audit(
                AuditEvent::Password,
                Some(user_id.to_string()),
                Some("changed".to_owned()),
            );
            Ok(empty(StatusCode::NO_CONTENT))
        }
        // The same response for both, so that it does not reveal which was wrong.
        Changed::WrongPassword | Changed::UsedBefore => Err(ApiError::text(
            StatusCode::UNAUTHORIZED,
            "Invalid credentials",
        )),
    }
}

/// 200 with `valid`, or with `invalid` for a password that the user has or had of late.
///
/// # Errors
/// 422 for an incomplete request.
pub async fn repeatable(call: Call) -> Result<Response, ApiError> {
    let sent: Repeated = call.json_as()?;
    let needed = |name: &str| ApiError::invalid("must not be null", name, "null");
    let password = sent.password.ok_or_else(|| needed("password"))?;
    let user_id = sent.user_id.ok_or_else(|| needed("userId"))?;
    let used = match UserId::parse(&user_id) {
        Some(id) => was_used(&call.platform, &call.tenant, id, &password).await?,
        None => false,
    };
    let result = if used { "invalid" } else { "valid" };
    Ok(pretty(StatusCode::OK, &json!({"result": result})))
}

/// The caller's session, which is kept when their own password changes.
fn session_of(call: &Call) -> Option<SessionId> {
    let identity = call.identity.as_ref()?;
    Some(identity.claims.session().into())
}

/// The user of a request: by id, which need not exist, or by name.
async fn user_id(
    call: &Call,
    id: Option<UserId>,
    username: Option<&str>,
) -> Result<Result<UserId, String>, ApiError> {
    if let Some(id) = id {
        return Ok(Ok(id));
    }
    let Some(username) = username else {
        return Ok(Err("a username or userId is needed".to_owned()));
    };
    let found = user_named(&call.platform, &call.tenant, username).await?;
    Ok(found.ok_or_else(|| format!("No user found by username {}", cut(username))))
}

fn required(call: &Call, name: &str) -> Result<String, ApiError> {
    call.parameter(name)?.ok_or_else(|| {
        ApiError::bad_request(format!(
            "'{name}' parameter is incorrect. parameter value {{null}} is not valid: must not be null"
        ))
    })
}

fn cut(text: &str) -> String {
    text.chars().take(100).collect()
}
