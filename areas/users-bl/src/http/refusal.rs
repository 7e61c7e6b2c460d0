//! Refusals in the forms of mod-users-bl: plain text, a list of errors with codes, or open transactions.

use http::StatusCode;
use octavo_platform::{ApiError, RemoteAnswer};
use octavo_users::Writing;
use serde_json::{Value, json};

use crate::app::{Failure, Refusal};

/// The response for a failure. Handlers decide about several matching users themselves.
pub(super) fn of(failure: Failure) -> ApiError {
    let refusal = match failure {
        Failure::Failed(error) => return error,
        Failure::Refused(refusal) => refusal,
    };
    match refusal {
        Refusal::NoSuchUser(id) => ApiError::text(
            StatusCode::NOT_FOUND,
            format!("User with id '{id}' not found"),
        ),
        Refusal::NotLocated(value) => ApiError::bad_request(format!("User is not found: {value}")),
        Refusal::SeveralLocated => unprocessable(&[(
            "forgotten.password.found.multiple.users".to_owned(),
            "Multiple users associated with what was sent".to_owned(),
        )]),
        Refusal::InactiveLocated(value) => unprocessable(&[(
            "forgotten.password.found.inactive".to_owned(),
            format!("Users associated with '{value}' is not active"),
        )]),
        Refusal::NoUsername => unprocessable(&[(
            "user.absent-username".to_owned(),
            "User without username cannot reset password".to_owned(),
        )]),
        Refusal::LinkInvalid(message) => unprocessable(&[("link.invalid".to_owned(), message)]),
        Refusal::LinkExpired(id) => unprocessable(&[(
            "link.expired".to_owned(),
            format!("PasswordResetAction with id = {id} is expired"),
        )]),
        Refusal::LinkUsed(id) => unprocessable(&[(
            "link.used".to_owned(),
            format!("PasswordResetAction with id = {id} is not found"),
        )]),
        Refusal::WeakPassword(codes) => unprocessable(&codes_as_messages(codes)),
        Refusal::WrongPassword => ApiError::text(StatusCode::UNAUTHORIZED, "Invalid credentials"),
        Refusal::OpenTransactions(open) => ApiError::Json(StatusCode::CONFLICT, open),
        Refusal::Lacks(permission) => ApiError::text(
            StatusCode::FORBIDDEN,
            format!("Access requires permission: {permission}"),
        ),
        Refusal::NotTheirs(unowned) => ApiError::text(
            StatusCode::FORBIDDEN,
            format!(
                "Cannot add {} permissions {} not owned by operating user",
                unowned.kind.word(),
                some(&unowned.names)
            ),
        ),
        Refusal::Undefined(names) => ApiError::invalid(
            format!(
                "Attempting to add non-existent permissions {}",
                some(&names)
            ),
            "permissions",
            some(&names),
        ),
        Refusal::User(refusal) => octavo_users::refused(refusal, Writing::New),
        Refusal::ChangedUser(refusal) => octavo_users::refused(refusal, Writing::Changed),
        Refusal::HasCredentials(id) => ApiError::invalid(
            format!("There already exists credentials for user id '{id}'"),
            "'userId'",
            id.to_string(),
        ),
        Refusal::Remote(answer) => of_remote(&answer),
    }
}

/// The first of some names; a client may have sent any number.
fn some(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(20).map(String::as_str).collect();
    shown.join(", ")
}

/// Errors whose message is the code, as in mod-password-validator.
pub(super) fn codes_as_messages(codes: Vec<String>) -> Vec<(String, String)> {
    codes.into_iter().map(|code| (code.clone(), code)).collect()
}

/// 422 with errors of a code and a message.
pub(super) fn unprocessable(errors: &[(String, String)]) -> ApiError {
    ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, list(errors))
}

/// The entries of a list of errors.
pub(super) fn list(errors: &[(String, String)]) -> Vec<Value> {
    let entry = |(code, message): &(String, String)| json!({"message": message, "code": code, "parameters": []});
    errors.iter().map(entry).collect()
}

/// The response of a refusing module, passed on unchanged.
fn of_remote(answer: &RemoteAnswer) -> ApiError {
    match serde_json::from_slice::<Value>(&answer.body) {
        Ok(body) if body.is_object() => ApiError::Json(answer.status, body),
        _ => {
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            ApiError::text(answer.status, text)
        }
    }
}
