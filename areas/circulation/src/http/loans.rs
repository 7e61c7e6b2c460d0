//! `GET /circulation/loans`: loans with the names behind their ids.

use std::time::Instant;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::page_response;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;

use super::tables;
use crate::store::view;

/// A page of loans.
///
/// # Errors
/// 400 when the query cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let store = call.store();
    let loans = store.catalog.get("loan").ok_or(StoreError::NotFound)?;
    let started = Instant::now();
    let plan = store.plan(loans, paging.query.as_deref())?;
    let sql = view::loans(tables(&call), &plan, paging.limit, paging.offset);
    let page = store
        .page_of(&call.tenant, loans, &plan.predicate, sql, paging.search())
        .await?;
    call.timing.stage("records", started);
    Ok(page_response(page))
}

/// One loan.
///
/// # Errors
/// 404 in circulation's words.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    match view::loan(&call.store().database, tables(&call), id).await? {
        Some(loan) => Ok(pretty(StatusCode::OK, &loan)),
        None => Err(ApiError::text(
            StatusCode::NOT_FOUND,
            format!("loan record with ID \"{id}\" cannot be found"),
        )),
    }
}
