//! `/data-export/job-executions` and links to their files.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use serde_json::json;
use uuid::Uuid;

use super::id_of;
use crate::app::jobs;
use crate::store::files;

/// The lifetime of a link, in seconds.
const LINK_SECONDS: i64 = 600;

/// Deletes a job with its files; a running one is cancelled.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = id_of(&call, "id")?;
    match jobs::remove(&call.writer_context(), id).await? {
        true => Ok(empty(StatusCode::NO_CONTENT)),
        false => Err(ApiError::text(
            StatusCode::NOT_FOUND,
            "JobExecution not found",
        )),
    }
}

/// A link to a file of a job. It is valid for ten minutes and this file, and needs no token, since
/// browsers follow it without headers.
///
/// # Errors
/// 404 when the job has no such file, or not yet.
pub async fn link(call: Call) -> Result<Response, ApiError> {
    let (job, file) = (id_of(&call, "jobId")?, id_of(&call, "fileId")?);
    let (database, tenant) = (&call.writer().database, &call.tenant);
    let found = files::of_job(database, tenant, job, file).await?;
    let Some(found) = found else {
        return Err(ApiError::text(
            StatusCode::NOT_FOUND,
            "There is no such file",
        ));
    };
    let secret = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    files::link(database, tenant, found.id, &secret, LINK_SECONDS).await?;
    let link = format!(
        "{}/_/invoke/tenant/{}/data-export/exported-files/{}?secret={secret}",
        call.platform.remotes.own_address(),
        tenant.id(),
        found.id
    );
    Ok(pretty(
        StatusCode::OK,
        &json!({"fileId": found.id, "link": link}),
    ))
}
