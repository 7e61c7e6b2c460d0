//! `/circulation/loans`: loans written as records.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::Value;

use super::{desk, located};
use crate::app::loan_record;
use crate::config_cache::ConfigCache;
use crate::loan_change::LoanRecord;

/// 201 with the loan.
///
/// # Errors
/// 422 with the first error.
pub async fn create(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let record = record(&call)?;
    let loan = loan_record::create(desk(&call, &cache), record).await?;
    Ok(located(StatusCode::CREATED, &loan))
}

/// 204; the loan is as sent.
///
/// # Errors
/// 404 without the loan; 422 as for a new one.
pub async fn replace(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let record = record(&call)?;
    loan_record::change(desk(&call, &cache), record, id.into()).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204 after deleting all loans.
///
/// # Errors
/// When other records still refer to one.
pub async fn delete_all(call: Call) -> Result<Response, ApiError> {
    let store = call.store();
    let loans = store.catalog.get("loan").ok_or(StoreError::NotFound)?;
    let all = "cql.allRecords=1";
    store.delete_matching(&call.tenant, loans, all).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The body as a loan to store, without properties of views.
fn record(call: &Call) -> Result<LoanRecord, ApiError> {
    let mut body = LoanRecord::stripped(call.json()?);
    let loans = call.store().catalog.get("loan");
    let shape = &loans.ok_or(StoreError::NotFound)?.shape;
    shape.check(&mut body).map_err(StoreError::Invalid)?;
    match body {
        Value::Object(document) => Ok(LoanRecord { document }),
        _ => Err(ApiError::bad_request("A loan is an object")),
    }
}
