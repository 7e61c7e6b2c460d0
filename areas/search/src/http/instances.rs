//! `/search/instances` and completions.

use ::http::StatusCode;
use axum::response::Response;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};

use super::{bounded, flag, ok, place, refusal, required};
use crate::app;
use crate::store::search::Shown;

/// Instances of a page.
pub(super) const LIMIT_MAX: i64 = 500;
/// Maximal offset of a page.
pub(super) const OFFSET_MAX: i64 = 9_999;

/// A page of instances.
pub async fn search(call: Call) -> Result<Response, ApiError> {
    let query = required(&call, "query")?;
    let shown = Shown {
        limit: bounded(&call, "limit", 100, (0, LIMIT_MAX))?,
        offset: bounded(&call, "offset", 0, (0, OFFSET_MAX))?,
        whole: flag(&call, "expandAll", false)?,
    };
    let found = app::search::search(place(&call), &query, shown).await;
    Ok(json_bytes(StatusCode::OK, found.map_err(refusal::of)?))
}

/// Completions of a text.
pub async fn suggest(call: Call) -> Result<Response, ApiError> {
    let field = required(&call, "field")?;
    let prefix = required(&call, "prefix")?;
    let most = bounded(&call, "limit", 10, (1, 100))?;
    let found = app::suggest::suggest(place(&call), &field, &prefix, most).await;
    Ok(ok(&found.map_err(refusal::of)?))
}
