//! The timers of this area.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};

use crate::app::propagation::Propagation;
use crate::app::{archive, jobs};
use crate::link_followers::Follower;

/// Purges archived authorities after the retention period.
///
/// # Errors
/// On a database error; what was removed stays so.
pub async fn expire(call: Call) -> Result<Response, ApiError> {
    let removed = archive::expire(&call.context()).await?;
    if removed > 0 {
        tracing::info!(
            tenant = call.tenant.id(),
            removed,
            "deleted authorities are gone for good"
        );
    }
    Ok(empty(StatusCode::ACCEPTED))
}

/// Resumes propagation and jobs of processes that ended.
pub async fn go_on(call: Call, follower: Arc<dyn Follower>) -> Result<Response, ApiError> {
    call.begin_work(Propagation::through(&follower));
    call.begin_work(Arc::new(jobs::ReindexJobs));
    Ok(empty(StatusCode::NO_CONTENT))
}
