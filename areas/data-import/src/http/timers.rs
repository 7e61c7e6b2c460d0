//! The timers of imports.

use std::sync::Arc;

use ::http::StatusCode;
use axum::response::Response;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};

use super::answer;
use crate::app::work::Imports;
use crate::app::{delete_jobs, sweep_files};

/// Goes on with what waits. Most of it is done before, by the process that took it.
pub(crate) async fn go_on(call: Call) -> Result<Response, ApiError> {
    call.begin_work(Arc::new(Imports));
    Ok(empty(StatusCode::ACCEPTED))
}

/// Removes jobs that were deleted some days ago.
pub(crate) async fn sweep(call: Call) -> Result<Response, ApiError> {
    delete_jobs::sweep(&call.writer_context()).await?;
    Ok(empty(StatusCode::ACCEPTED))
}

/// Removes uploaded files that nobody will import.
pub(crate) async fn sweep_files(call: Call) -> Result<Response, ApiError> {
    sweep_files::sweep(&call.writer_context())
        .await
        .map_err(answer)?;
    Ok(empty(StatusCode::ACCEPTED))
}
