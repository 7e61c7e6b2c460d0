//! `/source-storage/migrations/jobs`, its timer, and FOLIO's route for test records.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call};
use serde::Deserialize;

use super::{answer, parameters};
use crate::app::keep_terms::work;
use crate::app::migrate::begin_migration;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    migrations: Vec<String>,
}

/// A job that rebuilds search terms.
///
/// # Errors
/// 400 for an unknown migration, 409 while another is running.
pub async fn begin(call: Call) -> Result<Response, ApiError> {
    let sent: Request = call.json_as()?;
    let job = begin_migration(&call.context(), sent.migrations)
        .await
        .map_err(answer)?;
    Ok(json_bytes(StatusCode::ACCEPTED, job.to_string()))
}

/// The status of a job.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = parameters::path_id(&call, "id")?;
    let collection = call.context().collection("marc_migration_job");
    match call.store().read(&call.tenant, collection, id).await? {
        Some(job) => Ok(json_bytes(StatusCode::OK, job)),
        None => Err(ApiError::text(
            StatusCode::NOT_FOUND,
            format!("Async migration job with id '{id}' was not found"),
        )),
    }
}

/// Processes the queue of search terms.
pub async fn keep_terms(call: Call) -> Result<Response, ApiError> {
    work(call.writer(), &call.tenant).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// FOLIO creates test records only in test mode, and otherwise refuses.
///
/// # Errors
/// Always 400.
pub async fn populate(_: Call) -> Result<Response, ApiError> {
    Err(ApiError::bad_request(
        "Endpoint is available only in test mode",
    ))
}
