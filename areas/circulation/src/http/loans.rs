//! `GET /circulation/loans`: loans with the names behind their ids.

use axum::response::Response;
use octavo_platform::{ApiError, Call};

use super::{page, shown, tables};
use crate::store::view;

/// A page of loans.
///
/// # Errors
/// 400 when the query cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    page(&call, "loan", view::loans).await
}

/// One loan.
///
/// # Errors
/// 404 in circulation's words.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let found = view::loan(&call.store().database, tables(&call), id).await?;
    shown("loan", id, found)
}
