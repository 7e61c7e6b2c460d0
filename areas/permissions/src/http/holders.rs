//! `/perms/users`: permission users.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::audit::AuditEvent;
use octavo_platform::records_http::page;
use octavo_platform::respond::{empty, json_bytes, pretty};
use octavo_platform::{ApiError, Call};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::refusal::{Operation, answer};
use super::{change, checked, holder, id, not_a_uuid, paging, says_true};
use crate::app::change_holder;
use crate::store::views::{self, Shown};

const TABLE: &str = "permissions_users";

/// Writes a change to the audit log.
fn note(call: &Call, holder: &str, what: &str) {
    let target = format!("permissions user {holder}");
    call.audit(AuditEvent::Permissions, Some(target), Some(what.to_owned()));
}

pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = paging(&call)?;
    Ok(page(&call, call.collection(TABLE), paging.search()).await?)
}

/// One permission user.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let (holder, named) = holder(&call)?;
    let found = views::holder(&call.store().database, &call.tenant, &holder).await?;
    let body = found
        .ok_or_else(|| ApiError::text(StatusCode::NOT_FOUND, format!("No user with {named}")))?;
    Ok(json_bytes(StatusCode::OK, body))
}

/// A new permission user.
///
/// # Errors
/// 422 when it does not fit or a permission is not defined, 403 for a permission that the caller
/// may not give, 400 when the user has permissions already.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let mut body = call.record()?;
    let id = match body.get("id").and_then(Value::as_str) {
        None => Uuid::new_v4(),
        Some(id) => Uuid::try_parse(id).map_err(|_| not_a_uuid(id))?,
    };
    if let Value::Object(document) = &mut body {
        document.insert("id".to_owned(), json!(id));
    }
    check_user(&mut body)?;
    let document = checked(&call.collection(TABLE).shape, body)?;
    let outcome = change_holder::create(&change(&call), document).await;
    let id = id.to_string();
    let stored = outcome.map_err(|failure| answer(failure, Operation::Holder(&id)))?;
    note(&call, &id, "made");
    // Every process must act on the change before the client gets the response.
    call.platform.settle().await;
    Ok(json_bytes(StatusCode::CREATED, stored))
}

/// A permission user replaced.
///
/// # Errors
/// As [`create`], and 404 when there is none.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let mut body = call.record()?;
    let id = id(&call)?;
    if let Value::Object(document) = &mut body {
        document.insert("id".to_owned(), json!(id));
    }
    check_user(&mut body)?;
    let document = checked(&call.collection(TABLE).shape, body)?;
    let outcome = change_holder::replace(&change(&call), id, document).await;
    let stored =
        outcome.map_err(|failure| answer(failure, Operation::Holder(call.segment("id"))))?;
    note(&call, call.segment("id"), "replaced");
    call.platform.settle().await;
    Ok(pretty(StatusCode::OK, &Value::Object(stored)))
}

/// Refuses an invalid UUID with Java's message, and folds a valid one to lower case.
fn check_user(body: &mut Value) -> Result<(), ApiError> {
    let Some(text) = body.get("userId").and_then(Value::as_str) else {
        return Ok(());
    };
    let shown: String = text.chars().take(100).collect();
    let id = Uuid::try_parse(text)
        .map_err(|_| ApiError::bad_request(format!("Invalid UUID string: {shown}")))?;
    body["userId"] = json!(id);
    Ok(())
}

/// A permission user deleted.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let outcome = change_holder::delete(&change(&call), id(&call)?).await;
    outcome.map_err(|failure| answer(failure, Operation::Holder(call.segment("id"))))?;
    note(&call, call.segment("id"), "deleted");
    call.platform.settle().await;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The permissions of a permission user: names, or definitions with `full`; `expanded` includes those of
/// all sets.
///
/// # Errors
/// 404 when there is no such user.
pub async fn held(call: Call) -> Result<Response, ApiError> {
    let (holder, named) = holder(&call)?;
    let shown = Shown {
        expanded: says_true(&call, "expanded")?,
        full: says_true(&call, "full")?,
    };
    let found = views::held(&call.store().database, &call.tenant, &holder, shown).await?;
    let body = found.ok_or_else(|| {
        ApiError::text(StatusCode::NOT_FOUND, format!("No user found by {named}"))
    })?;
    Ok(json_bytes(StatusCode::OK, body))
}

/// FOLIO accepts other properties and returns them unchanged.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewAssignment {
    permission_name: Option<String>,
}

/// A permission given to a permission user.
///
/// # Errors
/// 400 when there is no such user or permission, 422 when the user has it, 403 when the caller may
/// not give it.
pub async fn give(call: Call) -> Result<Response, ApiError> {
    let body = call.record()?;
    let given: NewAssignment = serde_json::from_value(body.clone())
        .map_err(|error| ApiError::invalid(error.to_string(), "permissionName", ""))?;
    // FOLIO's Java turns a missing name into the text "null" and looks for that.
    let name = given.permission_name.unwrap_or_else(|| "null".to_owned());
    let (holder, named) = holder(&call)?;
    let outcome = change_holder::give(&change(&call), &holder, &name).await;
    outcome.map_err(|failure| answer(failure, Operation::Give(&named)))?;
    note(&call, &named, &format!("given {name}"));
    call.platform.settle().await;
    Ok(pretty(StatusCode::OK, &body))
}

/// A permission taken from a permission user.
///
/// # Errors
/// 404 when there is no such user, 400 when the user does not have it.
pub async fn take(call: Call) -> Result<Response, ApiError> {
    let (holder, named) = holder(&call)?;
    let name = call.segment("permissionname");
    let outcome = change_holder::take(&change(&call), &holder, name).await;
    outcome.map_err(|failure| answer(failure, Operation::Take(&named)))?;
    note(&call, &named, &format!("{name} taken away"));
    call.platform.settle().await;
    Ok(empty(StatusCode::NO_CONTENT))
}
