//! `GET /_/octavo/timers`: when the tenant's timers ran, how that ended, and when they run next.
//! Okapi's own list (`/_/proxy/tenants/{id}/timers`) has only their schedules.

use axum::response::Response;
use http::{Method, StatusCode};
use octavo_records::instant;
use serde_json::{Value, json};

use crate::call::Call;
use crate::error::ApiError;
use crate::module::Interface;
use crate::respond::pretty;
use crate::route::Handler;
use crate::timers::{TimerState, timers_of};

#[must_use]
pub(crate) fn interface() -> Interface {
    Interface::new("octavo-timers", "1.0").route(
        Method::GET,
        "/_/octavo/timers",
        "octavo.timers.collection.get",
        Handler::call(list),
    )
}

async fn list(call: Call) -> Result<Response, ApiError> {
    let view = call.platform.registry.view(call.tenant.id()).await?;
    let view = view.ok_or_else(ApiError::not_found)?;
    let timers = timers_of(&call.writer().database, &view).await?;
    let shown: Vec<Value> = timers.iter().map(shown).collect();
    Ok(pretty(
        StatusCode::OK,
        &json!({"timers": shown, "totalRecords": shown.len()}),
    ))
}

fn shown(timer: &TimerState) -> Value {
    let row = &timer.row;
    json!({
        "id": timer.id,
        "module": timer.module.id,
        "routingEntry": timer.entry,
        "modified": timer.modified,
        "runs": row.runs,
        "nextRun": row.next_run.map(instant::format),
        "lastRun": row.last_started.map(instant::format),
        "lastStatus": last_status(timer),
        "lastMilliseconds": row.last_seconds.map(|seconds| (seconds * 1_000.0).round()),
        "lastError": row.last_error,
    })
}

fn last_status(timer: &TimerState) -> Option<&'static str> {
    let row = &timer.row;
    row.last_started?;
    Some(match (row.last_seconds, &row.last_error) {
        (None, _) => "running",
        (Some(_), Some(_)) => "failed",
        (Some(_), None) => "succeeded",
    })
}
