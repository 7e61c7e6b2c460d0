//! mod-patron-blocks' user summaries, event handlers and synchronization jobs.

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::{Shape, StoreError};
use serde_json::{Map, Value, json};

use super::body;
use crate::app::synchronization_job::{JOBS, Synchronization, submit};
use crate::store::summary::user_summary;

static JOB: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/synchronization_request.shape"))
        .expect("invariant: the shape is well formed")
});

/// 200 with the open loans and debts of a patron, as they are now.
///
/// # Errors
/// 400 when the id is not a UUID, 404 when the patron has neither.
pub async fn summary(call: Call) -> Result<Response, ApiError> {
    let user_id = call.id().map_err(|_| {
        let shown: String = call.segment("userId").chars().take(100).collect();
        ApiError::bad_request(format!("Invalid user ID: \"{shown}\""))
    })?;
    let context = call.context();
    let found = user_summary(&context.store.database, context.tables(), user_id.into()).await?;
    match found {
        Some(summary) => Ok(pretty(StatusCode::OK, &summary)),
        None => Err(ApiError::text(
            StatusCode::NOT_FOUND,
            format!("User summary for user ID {user_id} not found"),
        )),
    }
}

/// 204 without storing the event: the counters of blocks are kept with the loans and accounts
/// themselves.
///
/// # Errors
/// 400 when the body is not JSON, 422 when it does not fit.
pub async fn heard(shape: &'static Shape, call: Call) -> Result<Response, ApiError> {
    let mut event = call.json()?;
    if let Value::Object(event) = &mut event {
        // Events may have unknown properties.
        event.retain(|name, _| shape.root.property(name).is_some());
    }
    shape.check(&mut event).map_err(StoreError::Invalid)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 201 with a new job.
///
/// # Errors
/// 422 when it is for a user and does not name one.
pub async fn create_job(call: Call) -> Result<Response, ApiError> {
    let request: Value = body(&call, &JOB)?;
    let scope = &request["scope"];
    if scope == "user" && request.get("userId").is_none() {
        let message = "UserId is required for synchronization job with scope: USER";
        return Err(ApiError::text(StatusCode::UNPROCESSABLE_ENTITY, message));
    }
    let mut job = Map::new();
    job.insert("scope".to_owned(), scope.clone());
    job.insert("status".to_owned(), json!("open"));
    for name in [
        "totalNumberOfLoans",
        "totalNumberOfFeesFines",
        "numberOfProcessedLoans",
        "numberOfProcessedFeesFines",
    ] {
        job.insert(name.to_owned(), json!(0));
    }
    if let Some(user_id) = request.get("userId") {
        job.insert("userId".to_owned(), user_id.clone());
    }
    let id = submit(&call.writer_context(), job).await?;
    let reply = json!({"id": id, "scope": scope, "status": "open"});
    Ok(created(reply.to_string().into(), &id.to_string()))
}

/// 200 with a job.
pub async fn job(call: Call) -> Result<Response, ApiError> {
    let missing = || {
        let message = "This synchronization request does not exist";
        ApiError::text(StatusCode::NOT_FOUND, message)
    };
    let id = call.id().map_err(|_| missing())?;
    let jobs = call.collection(JOBS);
    let stored = call.store().read(&call.tenant, jobs, id).await?;
    let job = stored.ok_or_else(missing)?;
    let job: Value = serde_json::from_slice(&job)?;
    Ok(pretty(StatusCode::OK, &job))
}

/// Does the jobs that wait.
pub async fn run_jobs(call: Call) -> Result<Response, ApiError> {
    let workers = &call.platform.workers;
    workers
        .run(call.writer(), &call.tenant, &Synchronization)
        .await?;
    Ok(empty(StatusCode::ACCEPTED))
}
