//! Validates new passwords.

use http::Method;
use octavo_boxed::boxed;
use octavo_login::app::judge_password::{Candidate, Depth, judge_password};
use octavo_platform::{ApiError, Call, RemoteInterface};
use serde_json::{Value, json};
use uuid::Uuid;

/// The remote module of password rules, if the tenant has one.
#[must_use]
pub fn validator(call: &Call) -> Option<RemoteInterface> {
    call.remote("password-validator")
}

/// The codes of the rules that a password violates; empty when it is valid.
///
/// # Errors
/// When the remote module does not answer.
#[boxed]
pub async fn broken_rules(
    call: &Call,
    user_id: Uuid,
    username: Option<&str>,
    password: &str,
) -> Result<Vec<String>, ApiError> {
    if let Some(module) = validator(call) {
        return asked(call, &module, user_id, password).await;
    }
    let candidate = candidate(user_id, username, password);
    Ok(judge_password(call, candidate, Depth::All).await?.codes)
}

/// The input of the tenant's rules.
#[must_use]
pub fn candidate<'a>(user_id: Uuid, username: Option<&'a str>, password: &'a str) -> Candidate<'a> {
    Candidate {
        user_id: Some(user_id.into()),
        user_name: username.filter(|name| !name.is_empty()),
        password,
    }
}

/// The remote module's result.
///
/// # Errors
/// When it does not answer in the expected form.
#[boxed]
pub async fn asked(
    call: &Call,
    module: &RemoteInterface,
    user_id: Uuid,
    password: &str,
) -> Result<Vec<String>, ApiError> {
    let body = json!({"password": password, "userId": user_id});
    let answer = module
        .send(call, Method::POST, "/password/validate", Some(&body))
        .await?;
    if answer.status.as_u16() != 200 {
        return Err(ApiError::fault(format!(
            "the module of the interface password-validator answered {}",
            answer.status.as_u16()
        )));
    }
    let body = answer.json()?;
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let code = |message: &Value| message.as_str().map(str::to_owned);
    Ok(messages.iter().filter_map(code).collect())
}
