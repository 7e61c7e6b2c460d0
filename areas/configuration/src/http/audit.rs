//! `/configurations/audit`: the history of entries.

use axum::response::Response;
use octavo_platform::{ApiError, Call, records_http};

use super::entries::check_language;
use crate::collections::AUDITS;

/// A page of changes.
///
/// # Errors
/// 400 for a parameter or a query that is not understood.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    check_language(&call)?;
    let paging = call.paging()?;
    Ok(records_http::page(&call, &AUDITS, paging.search()).await?)
}
