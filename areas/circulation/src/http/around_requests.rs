//! Allowed pickup service points, slips, and hold shelf clearance.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};

use super::{desk, overrides};
use crate::allowed_points::RawParameters;
use crate::app::place_for_instance::{Unplaced, place_for_instance};
use crate::app::{allowed_service_points as allowed, print_slips};
use crate::config_cache::ConfigCache;
use crate::refusal::OverridableBlock;
use crate::store::shelf;

/// 200 with the service points by kind of request.
///
/// # Errors
/// 400 when the parameters do not go together, 422 when what they name does not exist.
pub async fn allowed_service_points(
    cache: Arc<ConfigCache>,
    call: Call,
) -> Result<Response, ApiError> {
    let given = RawParameters {
        operation: call.parameter("operation")?,
        requester: call.parameter("requesterId")?,
        patron_group: call.parameter("patronGroupId")?,
        instance: call.parameter("instanceId")?,
        item: call.parameter("itemId")?,
        request: call.parameter("requestId")?,
        use_stub_item: call.parameter("useStubItem")?,
        ecs_request_routing: call.parameter("ecsRequestRouting")?,
    };
    let question = given.question().map_err(ApiError::bad_request)?;
    let told = allowed::allowed_service_points(desk(&call, &cache), &question).await?;
    Ok(pretty(StatusCode::OK, &told))
}

/// 200 with the pick slips of a service point.
///
/// # Errors
/// 400 when the service point is not an id.
pub async fn pick_slips(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let point = call.id()?;
    let slips = print_slips::pick_slips(desk(&call, &cache), point.into()).await?;
    Ok(listed("pickSlips", slips))
}

/// 200 with the search slips of a service point.
///
/// # Errors
/// 400 when the service point is not an id.
pub async fn search_slips(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let point = call.id()?;
    let slips = print_slips::search_slips(desk(&call, &cache), point.into()).await?;
    Ok(listed("searchSlips", slips))
}

/// 200 with closed requests whose items are still on the hold shelf.
///
/// # Errors
/// 400 when the service point is not an id.
pub async fn hold_shelf_clearance(call: Call) -> Result<Response, ApiError> {
    let point = call.id()?;
    let requests =
        shelf::to_be_cleared(&call.store().database, call.tables(), point.into()).await?;
    Ok(listed("requests", Value::Array(requests)))
}

/// 201 with a request for an item of an instance, or for the instance itself.
///
/// # Errors
/// 422 when a property is missing, or with the reasons of all refused tries.
pub async fn create_for_instance(
    cache: Arc<ConfigCache>,
    call: Call,
) -> Result<Response, ApiError> {
    let Value::Object(body) = call.json()? else {
        return Err(ApiError::bad_request("a request is an object".to_owned()));
    };
    let permissions = overrides(&call, &[OverridableBlock::Patron]);
    let desk = desk(&call, &cache);
    match place_for_instance(desk, body, &permissions).await {
        Ok(placed) => Ok(pretty(StatusCode::CREATED, &placed)),
        Err(Unplaced::Declined(declined)) => Err(declined.into()),
        Err(Unplaced::Tried(reasons)) => {
            Err(ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, reasons))
        }
    }
}

fn listed(name: &str, records: Value) -> Response {
    let total = records.as_array().map_or(0, Vec::len);
    pretty(
        StatusCode::OK,
        &json!({name: records, "totalRecords": total}),
    )
}
