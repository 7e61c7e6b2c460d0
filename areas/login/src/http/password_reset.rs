//! `/authn/password-reset-action` and `/authn/reset-password`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use octavo_records::{StoreError, instant};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::reset_password::{self, ResetAction};
use crate::password_collections::auth_password_action;

/// The body of a password reset. It has no `Debug`: passwords belong in no log.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Reset {
    password_reset_action_id: Option<String>,
    new_password: Option<String>,
}

/// 201 with whether the user has a password.
///
/// # Errors
/// 422 when it does not fit, 400 when the id is taken.
pub async fn create_action(call: Call) -> Result<Response, ApiError> {
    let mut document = call.json()?;
    auth_password_action()
        .shape
        .check(&mut document)
        .map_err(StoreError::Invalid)?;
    let id = |name: &str| {
        let text = document[name].as_str().unwrap_or_default();
        Uuid::try_parse(text).map_err(|_| ApiError::invalid("must be a UUID", name, text))
    };
    let text = document["expirationTime"].as_str().unwrap_or_default();
    let action = ResetAction {
        id: id("id")?,
        user_id: id("userId")?.into(),
        ends: instant::parse(text)
            .ok_or_else(|| ApiError::invalid("must be a date and time", "expirationTime", text))?,
    };
    let (platform, tenant) = (&call.platform, &call.tenant);
    match reset_password::create_action(platform, tenant, &action, &call.stamp()).await? {
        Some(exists) => Ok(pretty(
            StatusCode::CREATED,
            &json!({"passwordExists": exists}),
        )),
        None => Err(ApiError::bad_request(format!(
            "Error while saving the password action to the db | message: id {} already exists",
            action.id
        ))),
    }
}

/// 200 with the password reset action.
pub async fn read_action(call: Call) -> Result<Response, ApiError> {
    let shown = call.segment("actionId");
    let found = match Uuid::try_parse(shown) {
        Ok(id) => reset_password::find_action(&call.platform, &call.tenant, id).await?,
        Err(_) => None,
    };
    match found {
        Some(action) => Ok(pretty(StatusCode::OK, &action.document())),
        None => Err(unknown(StatusCode::NOT_FOUND, shown)),
    }
}

/// 201 with whether it is the user's first password.
///
/// # Errors
/// 422 for an incomplete request, 400 when there is no such action.
pub async fn reset(call: Call) -> Result<Response, ApiError> {
    let sent: Reset = call.json_as()?;
    let needed = |name: &str| ApiError::invalid("must not be null", name, "null");
    let shown = sent
        .password_reset_action_id
        .ok_or_else(|| needed("passwordResetActionId"))?;
    let password = sent
        .new_password
        .filter(|password| !password.is_empty())
        .ok_or_else(|| needed("newPassword"))?;
    let (platform, tenant) = (&call.platform, &call.tenant);
    let outcome = match Uuid::try_parse(&shown) {
        Ok(id) => {
            octavo_records::retried(|| {
                let stamp = call.stamp();
                let password = password.as_str();
                async move {
                    Box::pin(reset_password::reset_password(
                        platform, tenant, id, password, &stamp,
                    ))
                    .await
                }
            })
            .await?
        }
        Err(_) => None,
    };
    match outcome {
        Some(is_new) => {
            let body: Value = json!({"isNewPassword": is_new});
            Ok(pretty(StatusCode::CREATED, &body))
        }
        None => Err(unknown(StatusCode::BAD_REQUEST, &shown)),
    }
}

fn unknown(status: StatusCode, id: &str) -> ApiError {
    let shown: String = id.chars().take(100).collect();
    ApiError::text(
        status,
        format!("Password action with ID: `{shown}` was not found in the db"),
    )
}
