//! `POST /circulation/requests` and `…/{id}/move`: requests are placed and moved.

use std::sync::Arc;
use std::time::Instant;

use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use octavo_library::{ItemId, RequestType};
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::Value;

use super::{desk, overrides};
use crate::app::move_request::move_request;
use crate::app::place::place;
use crate::config_cache::ConfigCache;
use crate::placing::{MoveRequest, PlaceRequest};
use crate::refusal::OverridableBlock;

/// The permissions that lift blocks of a request.
pub const OVERRIDES: &[&str] = &["circulation.override-patron-block.post"];

/// 201 with the request.
///
/// # Errors
/// 422 with all refusals; 400 when its status is invalid.
pub async fn create(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let Value::Object(body) = call.json()? else {
        return Err(ApiError::bad_request("a request is an object".to_owned()));
    };
    let request = PlaceRequest::new(body);
    let permissions = overrides(&call, &[OverridableBlock::Patron]);
    let started = Instant::now();
    let placed = place(desk(&call, &cache), &request, &permissions).await?;
    call.timing.stage("circulation", started);
    let mut response = pretty(StatusCode::CREATED, &placed);
    let id = placed["id"].as_str().unwrap_or_default();
    if let Ok(value) = HeaderValue::try_from(format!("/circulation/requests/{id}")) {
        response.headers_mut().insert(header::LOCATION, value);
    }
    Ok(response)
}

/// 200 with the request at its new item.
///
/// # Errors
/// 404 when there is no such request, 422 with the refusal.
pub async fn move_to(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let body = call.json()?;
    let destination = body["destinationItemId"].as_str();
    let Some(destination) = destination.and_then(ItemId::parse) else {
        let given = destination.unwrap_or("null");
        return Err(ApiError::invalid(
            "must be a UUID",
            "destinationItemId",
            given,
        ));
    };
    let to = MoveRequest {
        destination,
        kind: body["requestType"].as_str().and_then(RequestType::named),
    };
    let started = Instant::now();
    let moved = move_request(desk(&call, &cache), id.into(), to).await?;
    call.timing.stage("circulation", started);
    Ok(pretty(StatusCode::OK, &moved))
}
