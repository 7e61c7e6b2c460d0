//! `/authority-heading-types` and `/authority-identifier-types`.

use axum::response::Response;
use octavo_platform::{ApiError, Call};

use super::page;
use crate::collections::{HEADING_TYPE, IDENTIFIER_TYPE};

/// A page of kinds of headings.
///
/// # Errors
/// 422 for a query that cannot be run.
pub async fn headings(call: Call) -> Result<Response, ApiError> {
    page(&call, HEADING_TYPE).await
}

/// A page of kinds of identifiers.
///
/// # Errors
/// 422 for a query that cannot be run.
pub async fn identifiers(call: Call) -> Result<Response, ApiError> {
    page(&call, IDENTIFIER_TYPE).await
}
