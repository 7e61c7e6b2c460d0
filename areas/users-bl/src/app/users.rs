//! Single users, from our tables or from the tenant's remote module of users.

use http::Method;
use octavo_boxed::boxed;
use octavo_platform::{ApiError, Call, RemoteAnswer, RemoteInterface};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use uuid::Uuid;

use super::{Failure, Refusal};
use crate::store::locate;

/// The interface whose provider stores the users.
const USERS: &str = "users";

/// The remote module of users, if the tenant has one.
#[must_use]
pub fn keeper(call: &Call) -> Option<RemoteInterface> {
    call.remote(USERS)
}

/// A user by id.
///
/// # Errors
/// When the remote module does not answer.
#[boxed]
pub async fn by_id(call: &Call, id: Uuid) -> Result<Option<Value>, ApiError> {
    match keeper(call) {
        None => {
            let store = call.writer();
            Ok(locate::by_id(&store.database, call.tables(), id).await?)
        }
        Some(module) => remote_by_id(call, &module, id).await,
    }
}

/// A user by id, from the remote module.
///
/// # Errors
/// When it does not answer.
#[boxed]
pub async fn remote_by_id(
    call: &Call,
    module: &RemoteInterface,
    id: Uuid,
) -> Result<Option<Value>, ApiError> {
    let path = format!("/users/{id}");
    let answer = module.send(call, Method::GET, &path, None).await?;
    match answer.status.as_u16() {
        200 => answer.json().map(Some),
        404 => Ok(None),
        _ => Err(unexpected(&answer)),
    }
}

/// The users that a query finds, from the remote module, with their total.
///
/// # Errors
/// When it does not answer. A refused query is a refusal, not an error.
#[boxed]
pub async fn remote_page(
    call: &Call,
    module: &RemoteInterface,
    query: Option<&str>,
    offset: i64,
    limit: i64,
) -> Result<(Vec<Value>, Value), Failure> {
    let mut path = format!("/users?offset={offset}&limit={limit}");
    if let Some(query) = query {
        let encoded = utf8_percent_encode(query, NON_ALPHANUMERIC);
        path.push_str(&format!("&query={encoded}"));
    }
    let answer = module.send(call, Method::GET, &path, None).await?;
    if !answer.status.is_success() {
        return Err(Refusal::Remote(answer).into());
    }
    let mut body = answer.json()?;
    let total = body["totalRecords"].take();
    match body["users"].take() {
        Value::Array(users) => Ok((users, total)),
        _ => Err(unexpected(&answer).into()),
    }
}

/// The CQL for users with this value in one of the properties.
#[must_use]
pub fn query(properties: &[&str], value: &str) -> String {
    let mut quoted = String::with_capacity(value.len() + 2);
    for character in value.chars() {
        if matches!(character, '\\' | '"' | '*' | '?' | '^') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    let conditions: Vec<String> = properties
        .iter()
        .map(|property| format!("{property}==\"{quoted}\""))
        .collect();
    conditions.join(" or ")
}

/// Up to two users with this value in one of the properties: two suffice to know that it is ambiguous.
///
/// # Errors
/// When the remote module does not answer.
#[boxed]
pub async fn locate(
    call: &Call,
    properties: &[String],
    value: &str,
) -> Result<Vec<Value>, Failure> {
    match keeper(call) {
        None => {
            let store = call.writer();
            let tables = call.tables();
            Ok(locate::users(&store.database, tables, properties, value).await?)
        }
        Some(module) => {
            let names: Vec<&str> = properties.iter().map(String::as_str).collect();
            if names.is_empty() {
                return Ok(Vec::new());
            }
            let query = query(&names, value);
            let (users, _) = remote_page(call, &module, Some(&query), 0, 2).await?;
            Ok(users)
        }
    }
}

pub(super) fn unexpected(answer: &RemoteAnswer) -> ApiError {
    ApiError::fault(format!(
        "the module of the interface {USERS} answered {}",
        answer.status.as_u16()
    ))
}

#[cfg(test)]
mod tests {
    use super::query;

    #[test]
    fn values_are_quoted_as_they_are() {
        assert_eq!(
            query(&["username", "personal.email"], "a\"* or b\\"),
            "username==\"a\\\"\\* or b\\\\\" or personal.email==\"a\\\"\\* or b\\\\\""
        );
    }
}
