//! `/bl-users`, `/bl-users/_self`, `/bl-users/by-id/…` and `/bl-users/by-username/…`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::{created, empty, pretty, pretty_text};
use octavo_platform::{ApiError, Call};
use octavo_records::Collection;
use serde_json::Value;

use super::refusal;
use crate::app::composites::{Who, one, remote_page};
use crate::app::{delete_user, save_user, users};
use crate::rules::parts::Parts;
use crate::store::composite::{self, Form};

/// The requested parts.
///
/// # Errors
/// 400 when a parameter cannot be read.
pub(super) fn parts(call: &Call) -> Result<Parts, ApiError> {
    let expand = call.parameter("expandPermissions")?;
    let expand = expand.is_some_and(|value| value.eq_ignore_ascii_case("true"));
    Ok(Parts::read(&call.parameters("include")?, expand))
}

/// 200 with a page.
///
/// # Errors
/// 400 when the query cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let (paging, parts) = (call.paging()?, parts(&call)?);
    let search = paging.search();
    if let Some(module) = users::keeper(&call) {
        let page = remote_page(&call, &module, search, parts).await;
        return Ok(pretty(StatusCode::OK, &page.map_err(refusal::of)?));
    }
    let store = call.store();
    let mut users = Collection::clone(call.collection("users"));
    "compositeUsers".clone_into(&mut users.list_key);
    let plan = store.plan(&call.tenant, &users, search.query)?;
    let tables = call.tables();
    let sql = composite::page(tables, parts, &plan, search.limit, search.offset);
    Ok(page_of(&call, &users, &plan, sql, search).await?)
}

/// 200 with the caller.
///
/// # Errors
/// 404 when the caller was deleted.
pub async fn own(call: Call) -> Result<Response, ApiError> {
    match call.user_id() {
        Some(id) => shown(&call, Who::Id(id)).await,
        None => Err(no_record(&Who::Name(""))),
    }
}

/// 200 with a user.
pub async fn by_id(call: Call) -> Result<Response, ApiError> {
    shown(&call, Who::Id(call.id()?)).await
}

/// 200 with a user.
///
/// # Errors
/// 404 when there is none of this name.
pub async fn by_username(call: Call) -> Result<Response, ApiError> {
    shown(&call, Who::Name(call.segment("id"))).await
}

async fn shown(call: &Call, who: Who<'_>) -> Result<Response, ApiError> {
    let found = one(call, call.store(), who, parts(call)?, Form::Single).await;
    match found.map_err(refusal::of)? {
        Some(user) => Ok(pretty(StatusCode::OK, &user)),
        None => Err(no_record(&who)),
    }
}

pub(super) fn no_record(who: &Who<'_>) -> ApiError {
    let query = match who {
        Who::Id(id) => format!("/users/{id}"),
        Who::Name(name) => {
            let shown: String = name.chars().take(100).collect();
            format!("/users?query=username=={shown}")
        }
    };
    ApiError::text(
        StatusCode::NOT_FOUND,
        format!("No record found for query '{query}'"),
    )
}

/// 201 with the user.
///
/// # Errors
/// 422 when a part does not fit, 403 for permissions that the caller may not assign.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let sent = call.json_as()?;
    let id = save_user::create_user(&call, sent).await;
    let id = id.map_err(refusal::of)?;
    let parts = Parts {
        proxies: false,
        ..Parts::DEFAULT
    };
    let made = one(&call, call.writer(), Who::Id(id), parts, Form::Single).await;
    let made: Value = made.map_err(refusal::of)?.unwrap_or_default();
    Ok(created(pretty_text(&made).into(), &id.to_string()))
}

/// 204.
///
/// # Errors
/// As [`create`], and 404 when there is no such user.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, sent) = (call.id()?, call.json_as()?);
    let replaced = save_user::replace_user(&call, id, sent).await;
    replaced.map_err(refusal::of)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204.
///
/// # Errors
/// 404 when there is no such user, 409 with the open transactions.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let deleted = delete_user::delete_user(&call, call.id()?).await;
    deleted.map_err(refusal::of)?;
    Ok(empty(StatusCode::NO_CONTENT))
}
