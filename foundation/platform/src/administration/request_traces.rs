//! `GET /_/octavo/traces` and `/_/octavo/traces/{id}`: the last traced requests.

use axum::response::Response;
use http::{Method, StatusCode};
use serde_json::json;

use crate::call::Call;
use crate::error::ApiError;
use crate::module::Interface;
use crate::respond::{json_bytes, pretty};
use crate::route::Handler;
use crate::traces::PERMISSION;

#[must_use]
pub(crate) fn interface() -> Interface {
    Interface::new("octavo-traces", "1.0")
        .route(
            Method::GET,
            "/_/octavo/traces",
            PERMISSION,
            Handler::call(list),
        )
        .route(
            Method::GET,
            "/_/octavo/traces/{id}",
            PERMISSION,
            Handler::call(one),
        )
}

/// The tenant's own, the latest first, without their trees.
async fn list(call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let traces = call.platform.gateway.traces.of(&call.tenant);
    let shown: Vec<_> = traces.iter().map(|trace| trace.summary()).collect();
    Ok(pretty(
        StatusCode::OK,
        &json!({"traces": shown, "totalRecords": shown.len()}),
    ))
}

async fn one(call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let id = call.id()?;
    let trace = call.platform.gateway.traces.find(id, &call.tenant);
    let trace = trace.ok_or_else(ApiError::not_found)?;
    Ok(json_bytes(StatusCode::OK, trace.json()))
}
