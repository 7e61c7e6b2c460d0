//! `/base-url`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use serde_json::json;

use super::small_json;
use crate::app::base_url;
use crate::collections::BASE_URL;
use crate::store::tenant;

/// 200 with the base URL or the default.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let store = call.store();
    let stored = tenant::base_url(&store.database, &call.tenant, &store.catalog).await?;
    let url = base_url::stored(stored.as_deref());
    Ok(pretty(StatusCode::OK, &json!({"baseUrl": url})))
}

/// 201 without a body.
///
/// # Errors
/// 400 when it is missing or ends with a slash.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let document = small_json(&call)?;
    let url = base_url::sent(document["baseUrl"].as_str())
        .map_err(|wrong| ApiError::bad_request(wrong.message()))?;
    let database = &call.store().database;
    tenant::keep(database, &call.tenant, BASE_URL, json!({"baseUrl": url})).await?;
    Ok(empty(StatusCode::CREATED))
}
