//! `/item-storage-dereferenced/items`: items with whole records in place of ids.

use std::time::Instant;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use octavo_records::{Collection, StoreError};

use crate::store::{dereferenced, view};

/// The key of the list in FOLIO's answer.
const LIST_KEY: &str = "dereferencedItems";

/// GET: a page of items.
///
/// # Errors
/// When the query cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let collection = call.context().collection("item");
    let plan = call
        .store()
        .plan(&call.tenant, collection, paging.query.as_deref())
        .map_err(|error| match error {
            StoreError::Query(why) => ApiError::bad_request(format!("Invalid CQL query: {why}")),
            other => other.into(),
        })?;
    let search = paging.search();
    let sql = dereferenced::page(call.tenant.schema(), &plan, search.limit, search.offset);
    let listed = Collection {
        list_key: LIST_KEY.to_owned(),
        ..Collection::clone(collection)
    };
    Ok(page_of(&call, &listed, &plan, sql, search).await?)
}

/// GET: one item.
///
/// # Errors
/// 400 when the id is invalid, 404 when there is no such item.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let started = Instant::now();
    let id = call
        .id()
        .map_err(|_| ApiError::bad_request("Invalid UUID"))?;
    let sql = dereferenced::one(call.tenant.schema(), id);
    let found = view::read(&call.store().database, &sql).await?;
    call.timing.stage("records", started);
    let found = found.ok_or_else(|| {
        let sentence = "No item records found matching provided UUID.";
        ApiError::text(StatusCode::NOT_FOUND, sentence)
    })?;
    Ok(json_bytes(StatusCode::OK, found))
}
