//! `/search/resources/jobs`, and ids without a job.

use ::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};

use super::{form, ok, place, refusal, required};
use crate::app::jobs::{self, JobForm};

/// Makes a job.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let form: JobForm = form(&call)?;
    let made = jobs::create(place(&call), &form).await;
    Ok(ok(&made.map_err(refusal::of)?))
}

pub async fn read(call: Call) -> Result<Response, ApiError> {
    let found = jobs::read(place(&call), call.segment("jobId")).await;
    Ok(ok(&found.map_err(refusal::of)?))
}

/// The ids of a job.
pub async fn ids(call: Call) -> Result<Response, ApiError> {
    let found = jobs::ids(place(&call), call.segment("jobId")).await;
    Ok(json_bytes(StatusCode::OK, found.map_err(refusal::of)?))
}

/// The ids of a query's instances.
pub async fn instances(call: Call) -> Result<Response, ApiError> {
    at_once(&call, "INSTANCE").await
}

/// The ids of the holdings of a query's instances.
pub async fn holdings(call: Call) -> Result<Response, ApiError> {
    at_once(&call, "HOLDINGS").await
}

/// As JSON, or as lines for a text content type.
async fn at_once(call: &Call, kind: &str) -> Result<Response, ApiError> {
    let query = required(call, "query")?;
    let found = jobs::found(place(call), &query, kind).await;
    let found = found.map_err(refusal::of)?;
    let asked = call.headers.get(header::CONTENT_TYPE);
    let wants_text = asked
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.contains("text/plain"));
    if !wants_text {
        return Ok(json_bytes(StatusCode::OK, jobs::as_json(&found)));
    }
    let lines: String = found.iter().map(|id| format!("{id}\n")).collect();
    let mut response = Response::new(lines.into());
    let kind = HeaderValue::from_static("text/plain");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}
