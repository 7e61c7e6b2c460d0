//! `/locations` and the lists of `/location-units`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};

use super::shown_places::page;
use crate::app::store_location;

/// GET: a page of locations, those that only stand for another tenant's left out unless they are
/// asked for.
///
/// # Errors
/// When the query cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    page(&call, "location", "isShadow", "includeShadowLocations").await
}

/// GET: a page of institutions, in the same way.
///
/// # Errors
/// When the query cannot be run.
pub async fn list_institutions(call: Call) -> Result<Response, ApiError> {
    page(&call, "locinstitution", "isShadow", "includeShadow").await
}

/// GET: a page of campuses, in the same way.
///
/// # Errors
/// When the query cannot be run.
pub async fn list_campuses(call: Call) -> Result<Response, ApiError> {
    page(&call, "loccampus", "isShadow", "includeShadow").await
}

/// GET: a page of libraries, in the same way.
///
/// # Errors
/// When the query cannot be run.
pub async fn list_libraries(call: Call) -> Result<Response, ApiError> {
    page(&call, "loclibrary", "isShadow", "includeShadow").await
}

/// POST: a new location.
///
/// # Errors
/// FOLIO's refusals.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let (id, stored) = store_location::create_location(&call.context(), call.record()?).await?;
    Ok(created(stored, &id.to_string()))
}

/// PUT: a location replaced.
///
/// # Errors
/// FOLIO's refusals.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, location) = (call.id()?, call.record()?);
    store_location::replace_location(&call.context(), id, location).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
