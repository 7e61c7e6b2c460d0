//! `/service-points`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};

use super::shown_places::leave_out;
use crate::app::store_service_point;

/// Service points only for routing requests between tenants are left out unless requested.
pub const HOOKS: Hooks = Hooks {
    plan: Some(|call, collection, plan| {
        let of_routing = ("ecsRequestRouting", "includeRoutingServicePoints");
        leave_out(of_routing, call, collection, plan)
    }),
    ..Hooks::NONE
};

/// POST: a new service point.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let point = call.record()?;
    let context = call.context();
    let (id, stored) = store_service_point::create_service_point(&context, point).await?;
    let location = context.collection("service_point").location_of(id);
    Ok(created(stored, &location))
}

/// PUT: a service point replaced.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, point) = (call.id()?, call.record()?);
    store_service_point::replace_service_point(&call.context(), id, point).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// DELETE: a service point that nothing names.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    store_service_point::delete_service_point(&call.context(), call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
