//! `GET /_/octavo/jobs`: the tenant's background work that is not finished.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use octavo_records::instant;
use serde_json::{Value, json};

/// The most jobs listed; the queues are counted whole.
const JOBS_MAX: i64 = 100;

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    let database = &call.writer().database;
    let (queues, jobs) = tokio::try_join!(
        octavo_jobs::standing::queues(database, &call.tenant),
        octavo_jobs::standing::oldest(database, &call.tenant, JOBS_MAX),
    )?;
    let total: i64 = queues.iter().map(|queue| queue.jobs).sum();
    let queues: Vec<Value> = queues
        .iter()
        .map(|queue| {
            json!({
                "queue": queue.name,
                "waiting": queue.jobs - queue.running,
                "running": queue.running,
                "failed": queue.failing,
                "oldest": instant::format(queue.oldest),
            })
        })
        .collect();
    let jobs: Vec<Value> = jobs
        .iter()
        .map(|job| {
            json!({
                "id": job.id,
                "queue": job.queue,
                "progress": job.progress,
                "attempts": job.attempts,
                "reason": job.reason,
                "added": instant::format(job.added),
            })
        })
        .collect();
    Ok(pretty(
        StatusCode::OK,
        &json!({"queues": queues, "jobs": jobs, "totalRecords": total}),
    ))
}
