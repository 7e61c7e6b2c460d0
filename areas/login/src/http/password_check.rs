//! `/password/validate` and `/password/check`

use axum::response::Response;
use http::{Method, StatusCode};
use octavo_library::UserId;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::judge_password::{Candidate, Depth, judge_password};
use crate::app::password::PASSWORD_BYTES_MAX;
use crate::store::account_by_id;

/// The type of errors caused by the request itself.
const INTERNAL: &str = "-1";
const EXTERNAL: &str = "-2";

/// The body of the request. It has no `Debug`: passwords belong in no log.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sent {
    password: Option<String>,
    user_id: Option<String>,
    username: Option<String>,
}

/// 200 with whether the password is valid for a user, and the violated rules up to the first strong one.
///
/// # Errors
/// 404 when there is no such user, 422 when the request is incomplete.
pub async fn validate(call: Call) -> Result<Response, ApiError> {
    let sent: Sent = call.json_as()?;
    let (password, user_id) = needed(("password", sent.password), ("userId", sent.user_id))?;
    let found = match UserId::parse(&user_id) {
        Some(id) => name_of(&call, id).await?.map(|name| (id, name)),
        None => None,
    };
    let Some((id, name)) = found else {
        let shown: String = user_id.chars().take(100).collect();
        let error = json!({"message": "User with given id not found", "type": EXTERNAL,
                           "parameters": [{"key": "userId", "value": shown}]});
        return Err(ApiError::Json(StatusCode::NOT_FOUND, error));
    };
    let candidate = Candidate {
        user_id: Some(id),
        user_name: Some(name.as_str()).filter(|name| !name.is_empty()),
        password: &password,
    };
    let verdict = judge_password(&call, candidate, Depth::All).await?;
    Ok(answer(verdict.codes))
}

/// 200 with whether the password is valid for a username, and all violated rules that need no existing
/// user.
///
/// # Errors
/// 422 when the request is incomplete, or there is no such rule.
pub async fn check(call: Call) -> Result<Response, ApiError> {
    let sent: Sent = call.json_as()?;
    let (password, name) = needed(("password", sent.password), ("username", sent.username))?;
    if password.is_empty() {
        return Err(unprocessable(
            [("password", "password.empty", "")].into_iter(),
        ));
    }
    let candidate = Candidate {
        user_id: None,
        user_name: Some(trimmed(&name)),
        password: trimmed(&password),
    };
    let verdict = judge_password(&call, candidate, Depth::EveryText).await?;
    if verdict.looked_at == 0 {
        let error = json!({"message": "No matched rules for password checking",
                           "type": EXTERNAL});
        return Err(ApiError::Json(StatusCode::UNPROCESSABLE_ENTITY, error));
    }
    Ok(answer(verdict.codes))
}

/// Trims as Java's `trim` does.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|one: char| one <= ' ')
}

type Named = (&'static str, Option<String>);

fn needed(password: Named, other: Named) -> Result<(String, String), ApiError> {
    let is_long = |text: &str| text.len() > PASSWORD_BYTES_MAX;
    match (password, other) {
        ((_, Some(password)), (_, Some(_))) if is_long(&password) => {
            let most = format!("has at most {PASSWORD_BYTES_MAX} bytes");
            // The error does not repeat the password.
            Err(unprocessable([("password", most.as_str(), "")].into_iter()))
        }
        ((_, Some(password)), (_, Some(other))) => Ok((password, other)),
        (password, other) => {
            let missing = [password, other]
                .into_iter()
                .filter(|(_, value)| value.is_none());
            let names: Vec<&str> = missing.map(|(name, _)| name).collect();
            let errors = names.iter().map(|name| (*name, "must not be null", "null"));
            Err(unprocessable(errors))
        }
    }
}

/// The name of a user, empty when the user has none.
async fn name_of(call: &Call, id: UserId) -> Result<Option<String>, ApiError> {
    let Some(module) = call.remote("users") else {
        let found = account_by_id(&call.writer().database, &call.tenant, id).await?;
        return Ok(found.map(|account| account.username));
    };
    let answer = module
        .send(call, Method::GET, &format!("/users/{id}"), None)
        .await?;
    match answer.status.as_u16() {
        404 => Ok(None),
        200 => {
            let user = answer.json()?;
            Ok(Some(
                user["username"].as_str().unwrap_or_default().to_owned(),
            ))
        }
        status => Err(ApiError::fault(format!(
            "the module of the interface users answered {status}"
        ))),
    }
}

fn answer(codes: Vec<String>) -> Response {
    let body = match codes.is_empty() {
        true => json!({"result": "valid"}),
        false => json!({"result": "invalid", "messages": codes}),
    };
    pretty(StatusCode::OK, &body)
}

/// 422 with errors of name, message and value, in the form of FOLIO's module.
pub(super) fn unprocessable<'a>(
    wrong: impl Iterator<Item = (&'a str, &'a str, &'a str)>,
) -> ApiError {
    let errors: Vec<Value> = wrong
        .map(|(name, message, value)| {
            let value: String = value.chars().take(1_000).collect();
            json!({"message": format!("{name} {message}"), "type": INTERNAL,
                   "parameters": [{"key": name, "value": value}]})
        })
        .collect();
    let body = json!({"total_records": errors.len(), "errors": errors});
    ApiError::Json(StatusCode::UNPROCESSABLE_ENTITY, body)
}
