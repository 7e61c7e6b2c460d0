//! `/tenant-addresses`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call, records_http};
use octavo_records::StoreError;
use serde_json::Value;
use uuid::Uuid;

use super::{collection, missing, plain, settings_paging, small_body};

const TABLE: &str = "tenant_address";
const LIMIT_DEFAULT: i64 = 50;

/// A page of addresses.
///
/// # Errors
/// 400 for a query that cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = settings_paging(&call, LIMIT_DEFAULT)?;
    records_http::page(&call, collection(&call, TABLE), paging.search())
        .await
        .map_err(plain)
}

/// One address.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let found = call
        .store()
        .read(&call.tenant, collection(&call, TABLE), call.id()?)
        .await
        .map_err(plain)?;
    Ok(json_bytes(StatusCode::OK, found.ok_or_else(missing)?))
}

/// A new address: 201 with what is stored. An id that is no UUID is given anew.
///
/// # Errors
/// 400 when it has no name or does not fit, 422 when the name is taken.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let mut address = sent(&call)?;
    let given = address["id"].as_str().map(Uuid::try_parse);
    if given.is_none_or(|id| id.is_err())
        && let Some(address) = address.as_object_mut()
    {
        address.remove("id");
    }
    let (_, stored) = call
        .store()
        .create(
            &call.tenant,
            collection(&call, TABLE),
            address,
            &call.stamp(),
        )
        .await
        .map_err(refused)?;
    Ok(json_bytes(StatusCode::CREATED, stored))
}

/// An address replaced: 204.
///
/// # Errors
/// 404 when there is none, else as [`create`].
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let mut address = sent(&call)?;
    // The path decides.
    if let Some(address) = address.as_object_mut() {
        address.remove("id");
    }
    call.store()
        .replace(
            &call.tenant,
            collection(&call, TABLE),
            id,
            address,
            &call.stamp(),
        )
        .await
        .map_err(refused)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// An address deleted: 204.
///
/// # Errors
/// 404 when there is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    call.store()
        .delete(&call.tenant, collection(&call, TABLE), call.id()?)
        .await
        .map_err(plain)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn sent(call: &Call) -> Result<Value, ApiError> {
    small_body(call)?;
    let address = call.json()?;
    match address["name"].as_str() {
        Some(name) if !name.trim().is_empty() => Ok(address),
        _ => Err(ApiError::bad_request("name missing")),
    }
}

fn refused(error: StoreError) -> ApiError {
    match error {
        StoreError::Duplicate { field, .. } => {
            let key = if field == "id" { "id" } else { "name" };
            ApiError::text(
                StatusCode::UNPROCESSABLE_ENTITY,
                format!("{key} already exists"),
            )
        }
        other => plain(other),
    }
}
