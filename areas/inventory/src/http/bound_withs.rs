//! `/inventory-storage/bound-withs` and what writes `/inventory-storage/bound-with-parts`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};

use crate::app::bind;

/// PUT: the holdings that an item is bound with.
pub async fn bind(call: Call) -> Result<Response, ApiError> {
    bind::bind(&call.context(), call.json_as()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// POST: a new part.
pub async fn create_part(call: Call) -> Result<Response, ApiError> {
    let (id, stored) = bind::create_part(&call.context(), call.record()?).await?;
    Ok(created(stored, &id.to_string()))
}

/// PUT: a part replaced.
pub async fn replace_part(call: Call) -> Result<Response, ApiError> {
    let (id, part) = (call.id()?, call.record()?);
    bind::replace_part(&call.context(), id, part).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
