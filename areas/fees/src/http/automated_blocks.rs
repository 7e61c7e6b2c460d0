//! `/automated-patron-blocks/{userId}`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::json;

use crate::store::automated_blocks;

/// The blocks of a patron; an empty list for an unknown one, as in FOLIO.
///
/// # Errors
/// 400 when the id is not a UUID.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let user_id = call.id().map_err(|_| {
        let shown: String = call.segment("userId").chars().take(100).collect();
        ApiError::bad_request(format!("Invalid user UUID: \"{shown}\""))
    })?;
    let blocks = automated_blocks(&call.store().database, &call.tenant, user_id.into()).await?;
    let body = json!({"automatedPatronBlocks": blocks});
    Ok(pretty(StatusCode::OK, &body))
}
