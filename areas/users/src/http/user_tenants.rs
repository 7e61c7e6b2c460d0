//! `/user-tenants`: which tenants of a consortium a user belongs to. Outside a consortium the list is
//! empty.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call, records_http};
use octavo_records::plan::Sql;

use super::refusal::refused;
use crate::app::UserContext;
use crate::app::keep_user_tenants::{self, FIELDS};

/// GET `/user-tenants`.
///
/// # Errors
/// 400 when `queryOp` is neither `and` nor `or`.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let mut wanted = Vec::new();
    for (field, exact) in FIELDS {
        let value = call.parameter(field)?;
        if let Some(value) = value.filter(|value| !value.trim().is_empty()) {
            wanted.push((field, exact, value));
        }
    }
    let operator = call.parameter("queryOp")?.unwrap_or_default();
    let any = match operator.to_lowercase().as_str() {
        "" | "and" => false,
        "or" => true,
        _ => {
            let shown: String = operator.chars().take(100).collect();
            return Err(ApiError::bad_request(format!(
                "'queryOp' parameter is incorrect. parameter value {{{shown}}} is not valid: must \
                 be and or or"
            )));
        }
    };
    let plan = keep_user_tenants::plan(&wanted, any);
    let collection = call.collection("user_tenant");
    let (schema, table) = (call.tenant.schema(), &collection.table);
    let sql = Sql::page(schema, table, &plan, paging.limit, paging.offset);
    Ok(records_http::page_of(&call, collection, &plan, sql, paging.search()).await?)
}

/// POST `/user-tenants`: 201 with nothing.
///
/// # Errors
/// 422 when it does not fit; 500 with mod-users' message when the id is taken.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    let added = keep_user_tenants::add(&UserContext::of(&call), document).await;
    let (id, added) = added.map_err(refused)?;
    if added {
        return Ok(empty(StatusCode::CREATED));
    }
    Err(ApiError::text(
        StatusCode::INTERNAL_SERVER_ERROR,
        format!("Event with Id={id} is already processed."),
    ))
}

/// DELETE `/user-tenants?tenantId=`: those of a member, or the only one there is.
///
/// # Errors
/// 500 with mod-users' message when no member is named and there is not exactly one.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let member = call.parameter("tenantId")?;
    let member = member.as_deref().filter(|id| !id.trim().is_empty());
    let removed = keep_user_tenants::remove(&UserContext::of(&call), member).await;
    if removed.map_err(refused)? {
        return Ok(empty(StatusCode::NO_CONTENT));
    }
    Err(ApiError::text(
        StatusCode::INTERNAL_SERVER_ERROR,
        "User-tenant table in member ECS tenant should contain 1 record",
    ))
}
