//! What writes `/preceding-succeeding-titles`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};

use super::batches;
use crate::app::succeed_titles;

/// POST: a new link.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let (id, stored) = succeed_titles::create_title(&call.context(), call.record()?).await?;
    Ok(created(stored, &id.to_string()))
}

/// PUT: a link replaced.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, link) = (call.id()?, call.record()?);
    succeed_titles::replace_title(&call.context(), id, link).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// PUT: all links of an instance.
pub async fn replace_all(call: Call) -> Result<Response, ApiError> {
    let links = batches::list(&call, "precedingSucceedingTitles")?;
    succeed_titles::replace_titles_of(&call.context(), call.id()?, links).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
