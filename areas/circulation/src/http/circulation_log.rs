//! `GET /audit-data/circulation/logs`: the circulation log.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::page_of;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::json;

use super::tables;
use crate::store::journal::lines;

/// 200 with a page of lines.
///
/// # Errors
/// 400 with message and code as JSON, when the query cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let store = call.store();
    let collection = store.catalog.get("circulation_logs");
    let collection = collection.ok_or(StoreError::NotFound)?;
    let query = paging.query.as_deref();
    let plan = store
        .plan(&call.tenant, collection, query)
        .map_err(refused)?;
    let sql = lines(tables(&call), &plan, paging.limit, paging.offset);
    let page = page_of(&call, collection, &plan, sql, paging.search()).await;
    page.map_err(refused)
}

/// Bad queries have a form of their own here.
fn refused(error: StoreError) -> ApiError {
    match error {
        StoreError::Query(message) => ApiError::Json(
            StatusCode::BAD_REQUEST,
            json!({"message": message, "code": "HTTP_BAD_REQUEST", "parameters": []}),
        ),
        other => other.into(),
    }
}
