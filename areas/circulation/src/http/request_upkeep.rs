//! Whole queues: stored in a batch, and expired and renumbered by timers.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_library::id_at;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::desk;
use crate::app::expire_requests::expire_requests;
use crate::app::renumber::{REQUESTS_MAX, run_job, store_queue};
use crate::config_cache::ConfigCache;

const SAME_POSITION: &str = "Cannot have more than one request with the same position in the queue";

/// FOLIO's storage: 201, all requests of the body are stored.
///
/// # Errors
/// 422 when one is not well formed or two have the same position, 404 when one does not exist, 413 when
/// there are too many.
pub async fn store_batch(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let body = call.record()?;
    let Some(given) = body["requests"].as_array() else {
        return Err(ApiError::invalid("must not be null", "requests", "null"));
    };
    if given.len() > REQUESTS_MAX {
        let message = format!("At most {REQUESTS_MAX} requests can be stored at once");
        return Err(ApiError::text(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    let collection = call.store().catalog.get("request");
    let shape = &collection.ok_or(StoreError::NotFound)?.shape;
    let mut requests: Vec<(Uuid, Map<String, Value>)> = Vec::with_capacity(given.len());
    for one in given {
        let mut one = one.clone();
        shape.check(&mut one).map_err(StoreError::Invalid)?;
        let id = id_at::<Uuid>(&one["id"]);
        let id =
            id.ok_or_else(|| ApiError::invalid("must not be null", "requests[].id", "null"))?;
        if requests.iter().any(|(other, _)| *other == id) {
            let message = "must be there only once";
            return Err(ApiError::invalid(message, "requests[].id", id.to_string()));
        }
        if let Value::Object(one) = one {
            requests.push((id, one));
        }
    }
    match store_queue(desk(&call, &cache), &requests).await {
        Ok(()) => Ok(empty(StatusCode::CREATED)),
        // FOLIO's error names neither item nor position.
        Err(StoreError::Duplicate { .. }) => Err(ApiError::Errors(
            StatusCode::UNPROCESSABLE_ENTITY,
            vec![json!({"message": SAME_POSITION, "parameters": [],
                        "itemId": null, "position": null})],
        )),
        Err(error) => Err(error.into()),
    }
}

/// The timer: 204.
pub async fn expire(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let requests = expire_requests(desk(&call, &cache)).await?;
    if requests > 0 {
        tracing::info!(tenant = call.tenant.id(), requests, "requests expired");
    }
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The timer: 202, after running the newest open job.
pub async fn run_toggle_job(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    run_job(desk(&call, &cache)).await?;
    Ok(empty(StatusCode::ACCEPTED))
}
