//! `/instance-storage/reindex`, `/instance-storage/instances/iteration` and
//! `/inventory-storage/migrations`: jobs submitted, read and cancelled.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call, records_http};
use octavo_records::{Search, Totals, instant};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::jobs::{InventoryJobs, JobRefusal, cancel, submit};
use crate::rules::form::unrecognized;
use crate::rules::jobs::{self, EVENTS, ITEM_ORDER, ITEM_ORDER_AFFECTS, JobKind};

/// Maximal number of characters of the input quoted in an error.
const SHOWN_CHARS_MAX: usize = 200;
/// Jobs that are listed at most, the newest first.
const LISTED_MAX: i64 = 1_000;

impl From<JobRefusal> for ApiError {
    fn from(refusal: JobRefusal) -> ApiError {
        match refusal {
            JobRefusal::Store(error) => error.into(),
            JobRefusal::Missing => ApiError::not_found(),
            JobRefusal::Finished | JobRefusal::Crowded => {
                ApiError::bad_request(refusal.to_string())
            }
        }
    }
}

/// POST `reindex`: writes an event for every instance on the topic of instances.
///
/// # Errors
/// 400 when too many jobs wait.
pub async fn reindex(call: Call) -> Result<Response, ApiError> {
    let job = jobs::reindex(Uuid::new_v4(), &now(&call));
    let job = start(&call, JobKind::Reindex, job).await?;
    Ok(json_bytes(StatusCode::OK, job.to_string()))
}

/// POST `iteration`: writes them on a topic that the client names.
///
/// # Errors
/// 422 when topic or event are invalid, 400 when too many jobs wait.
pub async fn iterate(call: Call) -> Result<Response, ApiError> {
    let form = call.json()?;
    let Value::Object(properties) = &form else {
        return Err(ApiError::invalid("must be of type object", "", ""));
    };
    if let Some((sentence, other)) = unrecognized(properties, &["topicName", "eventType"]) {
        return Err(ApiError::invalid(sentence, other, ""));
    }
    let topic = form["topicName"].as_str().unwrap_or_default();
    if !jobs::is_topic(topic) {
        let message = match form["topicName"].is_null() {
            true => "must not be null",
            false => "must be 1 to 200 of these characters: a-z A-Z 0-9 . _ -",
        };
        let shown = form["topicName"].as_str().unwrap_or("null");
        let shown: String = shown.chars().take(SHOWN_CHARS_MAX).collect();
        return Err(ApiError::invalid(message, "topicName", shown));
    }
    let event = match &form["eventType"] {
        Value::Null => "ITERATE",
        other => other.as_str().unwrap_or_default(),
    };
    if !EVENTS.contains(&event) {
        let message = format!("must be one of {}", EVENTS.join(", "));
        let shown: String = event.chars().take(SHOWN_CHARS_MAX).collect();
        return Err(ApiError::invalid(message, "eventType", shown));
    }
    let id = Uuid::new_v4();
    let job = jobs::iteration(id, topic, event, &now(&call));
    let job = start(&call, JobKind::Iteration, job).await?;
    Ok(created(job.to_string().into(), &id.to_string()))
}

/// GET `iteration/{id}`.
///
/// # Errors
/// 404 when there is none.
pub async fn iteration(call: Call) -> Result<Response, ApiError> {
    let collection = call.context().collection(JobKind::Iteration.table());
    let job = call
        .store()
        .read(&call.tenant, collection, call.id()?)
        .await?;
    let job = job.ok_or_else(|| ApiError::text(StatusCode::NOT_FOUND, "Not Found"))?;
    Ok(json_bytes(StatusCode::OK, job))
}

/// GET `migrations`: those there are.
pub async fn migrations(_: Call) -> Result<Response, ApiError> {
    let all = json!({
        "asyncMigrations": [
            {"migrations": [ITEM_ORDER], "affectedEntities": [ITEM_ORDER_AFFECTS]}
        ],
        "totalRecords": 1,
    });
    Ok(json_bytes(StatusCode::OK, all.to_string()))
}

/// GET `migrations/jobs`: all of them, the newest first.
pub async fn migration_jobs(call: Call) -> Result<Response, ApiError> {
    let collection = call.context().collection(JobKind::Migration.table());
    let search = Search {
        query: Some("cql.allRecords=1 sortBy submittedDate/sort.descending"),
        offset: 0,
        limit: LISTED_MAX,
        totals: Totals::Auto,
    };
    Ok(records_http::page(&call, collection, search).await?)
}

/// POST `migrations/jobs`: begins migrations.
///
/// # Errors
/// 500, as in FOLIO, when one of them is unknown; 400 when too many jobs wait.
pub async fn migrate(call: Call) -> Result<Response, ApiError> {
    let form = call.json()?;
    let wanted: Vec<&str> = form["migrations"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|name| name.as_str().unwrap_or_default())
        .collect();
    if wanted.is_empty() || wanted.iter().any(|name| *name != ITEM_ORDER) {
        let shown: String = wanted.join(" ").chars().take(SHOWN_CHARS_MAX).collect();
        return Err(ApiError::text(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("One or more migrations are not available. Migrations: {shown}"),
        ));
    }
    let job = jobs::migration(Uuid::new_v4(), &now(&call));
    let job = start(&call, JobKind::Migration, job).await?;
    Ok(json_bytes(StatusCode::OK, job.to_string()))
}

/// DELETE `reindex/{id}`.
///
/// # Errors
/// 404 when there is none, 400 when it has ended.
pub async fn cancel_reindex(call: Call) -> Result<Response, ApiError> {
    call_off(&call, JobKind::Reindex).await
}

/// DELETE `iteration/{id}`.
///
/// # Errors
/// 404 when there is none, 400 when it has ended.
pub async fn cancel_iteration(call: Call) -> Result<Response, ApiError> {
    call_off(&call, JobKind::Iteration).await
}

/// DELETE `migrations/jobs/{id}`.
///
/// # Errors
/// 404 when there is none, 400 when it has ended.
pub async fn cancel_migration(call: Call) -> Result<Response, ApiError> {
    call_off(&call, JobKind::Migration).await
}

/// The timer: resumes jobs of processes that ended.
///
/// # Errors
/// Never.
pub async fn go_on(call: Call) -> Result<Response, ApiError> {
    call.begin_work(Arc::new(InventoryJobs));
    Ok(empty(StatusCode::NO_CONTENT))
}

fn now(call: &Call) -> String {
    instant::format(call.stamp().at)
}

async fn start(call: &Call, kind: JobKind, job: Value) -> Result<Value, ApiError> {
    let job = submit(&call.context(), kind, job).await?;
    call.begin_work(Arc::new(InventoryJobs));
    Ok(job)
}

async fn call_off(call: &Call, kind: JobKind) -> Result<Response, ApiError> {
    cancel(&call.context(), kind, call.id()?).await?;
    call.begin_work(Arc::new(InventoryJobs));
    Ok(empty(StatusCode::NO_CONTENT))
}
