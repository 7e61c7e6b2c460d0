//! `GET /loan-storage/loan-history`: the history of loans.

use axum::response::Response;
use octavo_platform::records_http::page;
use octavo_platform::{ApiError, Call};
use octavo_records::{Search, StoreError};

/// 200 with a page; the latest changes first, unless the query sorts.
///
/// # Errors
/// 400 when the query cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let given = paging.query.as_deref().unwrap_or_default().trim();
    let mut query = match given {
        "" => "cql.allRecords=1".to_owned(),
        given => given.to_owned(),
    };
    if !query.to_lowercase().contains(" sortby ") {
        query.push_str(" sortBy createdDate/sort.descending");
    }
    let collection = call.store().catalog.get("audit_loan");
    let collection = collection.ok_or(StoreError::NotFound)?;
    let search = Search {
        query: Some(&query),
        ..paging.search()
    };
    Ok(page(&call, collection, search).await?)
}
