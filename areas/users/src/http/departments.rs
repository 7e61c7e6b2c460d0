//! `/departments`: with the number of users who belong to each.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call, records_http};
use octavo_records::StoreError;

use super::collection;
use crate::store::departments;

const TABLE: &str = "departments";

/// GET `/departments`.
///
/// # Errors
/// 400 when the query cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let collection = collection(&call, TABLE);
    let plan = call
        .store()
        .plan(&call.tenant, collection, paging.query.as_deref())?;
    let schema = call.tenant.schema();
    let sql = departments::page(schema, &plan, paging.limit, paging.offset);
    Ok(records_http::page_of(&call, collection, &plan, sql, paging.search()).await?)
}

/// GET `/departments/{id}`.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let found = departments::one(&call.store().database, &call.tenant, call.id()?).await?;
    let found = found.ok_or_else(ApiError::not_found)?;
    Ok(json_bytes(StatusCode::OK, found))
}

/// POST `/departments`.
///
/// # Errors
/// 422 when id, name or code is taken.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let (collection, document) = (collection(&call, TABLE), call.record()?);
    let store = &call.platform.store;
    let stamp = call.stamp();
    let stored = store.create(&call.tenant, collection, document, &stamp);
    let (id, _) = stored.await.map_err(refused)?;
    let shown = departments::one(&store.database, &call.tenant, id).await?;
    Ok(created(shown.unwrap_or_default(), &id.to_string()))
}

/// PUT `/departments/{id}`.
///
/// # Errors
/// 422 when name or code is taken, 404 when there is none.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, document) = (call.id()?, call.record()?);
    let (store, collection) = (&call.platform.store, collection(&call, TABLE));
    let stamp = call.stamp();
    let replaced = store.replace(&call.tenant, collection, id, document, &stamp);
    replaced.await.map_err(refused)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// DELETE `/departments/{id}`.
///
/// # Errors
/// 400 while users belong to it, 404 when there is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let (store, collection) = (&call.platform.store, collection(&call, TABLE));
    let deleted = store.delete(&call.tenant, collection, call.id()?).await;
    deleted.map_err(refused)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn refused(error: StoreError) -> ApiError {
    match error {
        StoreError::Duplicate {
            status,
            field,
            value,
            ..
        } if field == "id" => StoreError::Duplicate {
            status,
            message: "Department with this id already exists".to_owned(),
            field,
            value,
        },
        // Who belongs to it is kept beside the users; clients know those only.
        StoreError::StillReferenced { message, .. } => StoreError::StillReferenced {
            message: message.replace("table user_department.", "table users."),
            table: "users".to_owned(),
        },
        other => other,
    }
    .into()
}
