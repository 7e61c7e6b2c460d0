//! `/search/authorities` and `/browse/authorities`.

use ::http::StatusCode;
use axum::response::Response;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};

use super::browse::part;
use super::instances::{LIMIT_MAX, OFFSET_MAX};
use super::{bounded, flag, ok, place, refusal, required};
use crate::app::authorities;
use crate::store::authorities::View;
use crate::store::search::Shown;

/// Headings of a page of browsing.
const HEADINGS_MAX: i64 = 500;

/// A page of the forms of headings that a query finds.
pub async fn search(call: Call) -> Result<Response, ApiError> {
    let query = required(&call, "query")?;
    let view = View {
        whole: flag(&call, "expandAll", false)?,
        titles: flag(&call, "includeNumberOfTitles", true)?,
    };
    let shown = Shown {
        limit: bounded(&call, "limit", 100, (0, LIMIT_MAX))?,
        offset: bounded(&call, "offset", 0, (0, OFFSET_MAX))?,
        whole: view.whole,
    };
    let found = authorities::search(place(&call), &query, shown, view).await;
    Ok(json_bytes(StatusCode::OK, found.map_err(refusal::of)?))
}

/// A page of headings before, after or around a value.
pub async fn browse(call: Call) -> Result<Response, ApiError> {
    let query = required(&call, "query")?;
    let view = View {
        whole: flag(&call, "expandAll", false)?,
        titles: true,
    };
    let part = part(&call, &query, HEADINGS_MAX)?;
    let found = authorities::browse(place(&call), part, view).await;
    Ok(ok(&found.map_err(refusal::of)?))
}
