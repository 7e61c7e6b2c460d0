//! `/locations` and the lists of `/location-units`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};

use super::shown_places::leave_out;
use crate::app::store_location;

/// Shadow locations of other tenants are left out unless requested.
pub const HOOKS: Hooks = Hooks {
    plan: Some(|call, collection, plan| {
        leave_out(
            ("isShadow", "includeShadowLocations"),
            call,
            collection,
            plan,
        )
    }),
    ..Hooks::NONE
};

/// The same for institutions, campuses and libraries.
pub const UNITS: Hooks = Hooks {
    plan: Some(|call, collection, plan| {
        leave_out(("isShadow", "includeShadow"), call, collection, plan)
    }),
    ..Hooks::NONE
};

/// POST: a new location.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let (id, stored) = store_location::create_location(&call.context(), call.record()?).await?;
    Ok(created(stored, &id.to_string()))
}

/// PUT: a location replaced.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, location) = (call.id()?, call.record()?);
    store_location::replace_location(&call.context(), id, location).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
