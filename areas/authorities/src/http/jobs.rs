//! `/authority-storage/reindex`: reindex jobs.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};

use super::worded;
use crate::app::jobs;

/// "Not found" names the kind of record.
pub const HOOKS: Hooks = Hooks {
    wording: |refused| worded(refused, jobs::KIND),
    ..super::HOOKS
};

/// A new job.
///
/// # Errors
/// 400 when too many wait.
pub async fn submit(call: Call) -> Result<Response, ApiError> {
    let job = jobs::submit(&call.context()).await?;
    call.begin_work(Arc::new(jobs::ReindexJobs));
    let id = job["id"].as_str().unwrap_or_default().to_owned();
    Ok(created(
        job.to_string().into(),
        &format!("/authority-storage/reindex/{id}"),
    ))
}

/// A job cancelled.
///
/// # Errors
/// 404 when there is none; 500, as in FOLIO, when it has ended.
pub async fn cancel(call: Call) -> Result<Response, ApiError> {
    jobs::cancel(&call.context(), call.id()?).await?;
    call.begin_work(Arc::new(jobs::ReindexJobs));
    Ok(empty(StatusCode::NO_CONTENT))
}
