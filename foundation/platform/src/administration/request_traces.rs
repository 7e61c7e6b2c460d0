//! `GET /_/octavo/traces/{id}`: one of the last traced requests.

use axum::response::Response;
use http::{Method, StatusCode};

use crate::call::Call;
use crate::error::ApiError;
use crate::module::Interface;
use crate::respond::json_bytes;
use crate::route::Handler;
use crate::traces::PERMISSION;

#[must_use]
pub(crate) fn interface() -> Interface {
    Interface::new("octavo-traces", "1.0").route(
        Method::GET,
        "/_/octavo/traces/{id}",
        PERMISSION,
        Handler::call(one),
    )
}

async fn one(call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let id = call.id()?;
    let trace = call.platform.gateway.traces.find(id, &call.tenant);
    let trace = trace.ok_or_else(ApiError::not_found)?;
    Ok(json_bytes(StatusCode::OK, trace.json()))
}
