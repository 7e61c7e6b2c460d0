//! Who may use which of the gateway's routes, and for which tenant.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use http::header::LOCATION;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::call::Call;
use crate::caller::require;
use crate::error::ApiError;
use crate::registry::TenantView;
use crate::respond::pretty;

/// Refuses callers whose tenant does not operate the installation.
pub(super) fn operator(call: &Call) -> Result<(), ApiError> {
    call.require_operator()
}

/// The tenant in the path: the caller's own, or any if the caller's tenant operates the
/// installation.
pub(super) async fn tenant(call: &Call) -> Result<Arc<TenantView>, ApiError> {
    let id = call.segment("tenantId");
    if id != call.tenant.id() {
        operator(call)?;
    }
    let view = call.platform.registry.view(id).await?;
    view.ok_or_else(|| missing(id))
}

/// The same for routes that users need no permission for in their own tenant, but in others.
pub(super) async fn tenant_seen(
    call: &Call,
    permission: &str,
) -> Result<Arc<TenantView>, ApiError> {
    if call.segment("tenantId") != call.tenant.id() {
        require(permission, call.identity.as_ref())?;
    }
    tenant(call).await
}

/// 404 in Okapi's words.
pub(super) fn missing(what: &str) -> ApiError {
    let shown: String = what.chars().take(200).collect();
    ApiError::text(StatusCode::NOT_FOUND, shown)
}

/// Parses the body as one of Okapi's documents; 400 with the error.
pub(super) fn document<T: DeserializeOwned>(call: &Call) -> Result<T, ApiError> {
    let value = call.json()?;
    serde_json::from_value(value).map_err(|error| ApiError::bad_request(error.to_string()))
}

/// A boolean from the query string.
pub(super) fn flag(call: &Call, name: &str, default: bool) -> Result<bool, ApiError> {
    match call.parameter(name)?.as_deref() {
        None => Ok(default),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(other) => Err(ApiError::bad_request(format!(
            "Bad boolean for parameter {name}: {other}"
        ))),
    }
}

/// A response with a document in Okapi's notation.
pub(super) fn shown<T: Serialize>(status: StatusCode, document: &T) -> Result<Response, ApiError> {
    Ok(pretty(status, &serde_json::to_value(document)?))
}

/// 201 with a document and its `Location`.
pub(super) fn created<T: Serialize>(document: &T, location: &str) -> Result<Response, ApiError> {
    let mut response = shown(StatusCode::CREATED, document)?;
    if let Ok(value) = location.parse() {
        response.headers_mut().insert(LOCATION, value);
    }
    Ok(response)
}

/// A response with a list in Okapi's notation.
pub(super) fn listed(documents: Vec<Value>) -> Response {
    pretty(StatusCode::OK, &Value::Array(documents))
}

/// Encodes text as one path segment.
pub(super) fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC)
        .to_string()
        .replace("%2D", "-")
        .replace("%2E", ".")
        .replace("%5F", "_")
}
