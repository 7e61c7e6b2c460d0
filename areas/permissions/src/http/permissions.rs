//! `/perms/permissions`: permissions and sets.

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::audit::AuditEvent;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::{empty, json_bytes, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::Shape;
use octavo_records::plan::Predicate;
use serde_json::{Value, json};

use super::refusal::{Operation, answer};
use super::{change, checked, id, paging, says_true};
use crate::app::change_definition;
use crate::store::views::{self, Parts};

const TABLE: &str = "permissions";
/// Names that `memberOf` and `ownedBy` take.
const NAMES_MAX: usize = 100;

/// The longest name: it is part of an index entry, of paths and of refusals.
const NAME_BYTES_MAX: usize = 1_000;

static UPLOAD: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/permission_upload.shape"))
        .expect("invariant: the shape is well formed")
});

/// Writes a change to the audit log.
fn note(call: &Call, name: Option<&Value>, what: &str) {
    let name = name.and_then(Value::as_str).unwrap_or_default();
    let target = format!("permission {name}");
    call.audit(AuditEvent::Permissions, Some(target), Some(what.to_owned()));
}

/// A page of permissions; placeholders only with `includeDummy`.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = paging(&call)?;
    let parts = if says_true(&call, "expandSubs")? {
        Parts::Definitions
    } else if says_true(&call, "expanded")? {
        Parts::All
    } else {
        Parts::Names
    };
    let schema = call.tenant.schema();
    let permissions = call.collection(TABLE);
    let planned = |query: Option<&str>| call.store().plan(&call.tenant, permissions, query);
    let mut plan = planned(paging.query.as_deref())?;
    let mut wanted = vec![views::with_holders(schema, plan.predicate)];
    if !says_true(&call, "includeDummy")? {
        wanted.push(planned(Some("dummy==false"))?.predicate);
    }
    if let Some(sets) = names(&call, "memberOf")? {
        wanted.push(views::member_of(&sets));
    }
    if let Some(users) = names(&call, "ownedBy")? {
        let held = views::owned_by(&call.store().database, &call.tenant, &users).await?;
        wanted.push(views::named(held));
    }
    plan.predicate = match wanted.len() {
        1 => wanted.remove(0),
        _ => Predicate::All(wanted),
    };
    let sql = views::permissions(schema, &plan, parts, paging.limit, paging.offset);
    Ok(page_of(&call, permissions, &plan, sql, paging.search()).await?)
}

/// Names separated by commas.
fn names(call: &Call, parameter: &str) -> Result<Option<Vec<String>>, ApiError> {
    let Some(text) = call.parameter(parameter)? else {
        return Ok(None);
    };
    let names: Vec<String> = text
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    if names.len() > NAMES_MAX {
        return Err(ApiError::bad_request(format!(
            "{parameter} holds {} names; at most {NAMES_MAX} can be asked for at once",
            names.len()
        )));
    }
    Ok(Some(names).filter(|names| !names.is_empty()))
}

/// One permission.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let found = views::permission(&call.store().database, &call.tenant, id(&call)?).await?;
    let body = found.ok_or_else(ApiError::not_found)?;
    Ok(json_bytes(StatusCode::OK, body))
}

/// A new permission of the library.
///
/// # Errors
/// 422 when it does not fit, the name is taken or a part is not defined, 403 for a part that the caller
/// may not give.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let mut document = checked(&UPLOAD, call.record()?)?;
    if let Some(id) = change_definition::checked_id(&document)? {
        document.insert("id".to_owned(), json!(id));
    }
    let name = document.get("permissionName").and_then(Value::as_str);
    if let Some(length) = name.map(str::len).filter(|length| *length > NAME_BYTES_MAX) {
        return Err(ApiError::invalid(
            format!("must be at most {NAME_BYTES_MAX} bytes long"),
            "permissionName",
            format!("{length} bytes"),
        ));
    }
    let outcome = change_definition::create(&change(&call), document).await;
    let stored = outcome.map_err(|failure| answer(failure, Operation::Define))?;
    note(&call, stored.get("permissionName"), "made");
    // Every process must act on the change before the client gets the response.
    call.platform.settle().await;
    Ok(pretty(StatusCode::CREATED, &Value::Object(stored)))
}

/// A permission of the library replaced.
///
/// # Errors
/// 404 when there is none, 400 when a module defined it or the name differs, 403 for a part that the
/// caller may not give, 422 as [`create`].
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let document = checked(&UPLOAD, call.record()?)?;
    let id = call.segment("id");
    if document.get("id").and_then(Value::as_str) != Some(id) {
        return Err(ApiError::bad_request("Invalid id value"));
    }
    let outcome = change_definition::replace(&change(&call), super::id(&call)?, document).await;
    let stored = outcome.map_err(|failure| answer(failure, Operation::Redefine(id)))?;
    note(&call, stored.get("permissionName"), "replaced");
    call.platform.settle().await;
    Ok(pretty(StatusCode::OK, &Value::Object(stored)))
}

/// Deletes a permission of the library, also from sets and users.
///
/// # Errors
/// 404 when there is none, 400 when a module defined it.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let outcome = change_definition::delete(&change(&call), id(&call)?).await;
    outcome.map_err(|failure| answer(failure, Operation::Redefine(call.segment("id"))))?;
    note(&call, Some(&json!(call.segment("id"))), "deleted");
    call.platform.settle().await;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Deletes deprecated permissions, also from sets and users; the response lists them.
pub async fn purge(call: Call) -> Result<Response, ApiError> {
    let outcome = change_definition::purge(&change(&call)).await;
    let names = outcome.map_err(|failure| answer(failure, Operation::Define))?;
    note(&call, None, "deprecated ones removed");
    call.platform.settle().await;
    let total = names.len();
    Ok(pretty(
        StatusCode::OK,
        &json!({"permissionNames": names, "totalRecords": total}),
    ))
}
