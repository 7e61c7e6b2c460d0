//! `GET /circulation/requests`: requests with the names behind their ids.

use axum::response::Response;
use octavo_platform::{ApiError, Call};

use super::{page, shown, tables};
use crate::store::view;

/// A page of requests.
///
/// # Errors
/// 400 when the query cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    page(&call, "request", view::requests).await
}

/// One request.
///
/// # Errors
/// 404 in circulation's words.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let found = view::request(&call.store().database, tables(&call), id).await?;
    shown("request", id, found)
}
