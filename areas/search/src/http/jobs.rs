//! `/search/resources/jobs`.

use ::http::StatusCode;
use axum::response::Response;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};

use super::{form, ok, place, refusal};
use crate::app::jobs::{self, JobForm};

/// Makes a job.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let form: JobForm = form(&call)?;
    let made = jobs::create(place(&call), &form).await;
    Ok(ok(&made.map_err(refusal::of)?))
}

/// A job.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let found = jobs::read(place(&call), call.segment("jobId")).await;
    Ok(ok(&found.map_err(refusal::of)?))
}

/// The ids that it gives.
pub async fn ids(call: Call) -> Result<Response, ApiError> {
    let found = jobs::ids(place(&call), call.segment("jobId")).await;
    Ok(json_bytes(StatusCode::OK, found.map_err(refusal::of)?))
}
