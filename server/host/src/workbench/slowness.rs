//! `GET /_/octavo/requests` and `/_/octavo/times`: who is slow on this server, now and in the last hour.

use axum::response::Response;
use http::{Method, StatusCode};
use jiff::{SignedDuration, Timestamp};
use octavo_platform::gateway::metrics::RouteTimes;
use octavo_platform::gateway::recent::MINUTES_MAX;
use octavo_platform::gateway::running::RunningSnapshot;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call, Handler, Interface, incorrect};
use octavo_records::instant;
use serde_json::{Value, json};

const REQUESTS: &str = "/_/octavo/requests";
/// How many routes are listed without a limit: the most costly ones.
const TIMES_LIMIT: i64 = 100;

pub(super) fn interface() -> Interface {
    Interface::new("octavo-slowness", "1.0")
        .route(
            Method::GET,
            REQUESTS,
            "octavo.requests.collection.get",
            Handler::call(requests),
        )
        .route(
            Method::GET,
            "/_/octavo/times",
            "octavo.times.collection.get",
            Handler::call(times),
        )
}

/// The requests that run now, of all tenants, the oldest first. Requests for this list are not listed.
async fn requests(call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let running = call.platform.gateway.running.snapshot();
    let others = running.iter().filter(|one| one.route != REQUESTS);
    let shown: Vec<Value> = others.map(shown).collect();
    Ok(pretty(
        StatusCode::OK,
        &json!({"requests": shown, "totalRecords": shown.len()}),
    ))
}

fn shown(request: &RunningSnapshot) -> Value {
    let mut shown = json!({
        "id": request.number.to_string(),
        "requestId": request.request_id,
        "method": request.method,
        "route": request.route,
        "elapsedMilliseconds": request.elapsed.as_secs_f64() * 1_000.0,
        "stage": request.stage,
    });
    if let Some(tenant) = &request.tenant {
        shown["tenant"] = json!(tenant);
    }
    if let Some(user_id) = &request.user_id {
        shown["userId"] = json!(user_id);
    }
    shown
}

/// What requests took in the last minutes, by route and tenant, those first that took most time together.
async fn times(call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let minutes = call.number("minutes", MINUTES_MAX, 1)?;
    if minutes > MINUTES_MAX {
        let expected = format!("must be a whole number from 1 to {MINUTES_MAX}");
        return Err(incorrect("minutes", &minutes.to_string(), &expected));
    }
    let limit = call.number("limit", TIMES_LIMIT, 0)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let (ago, times) = call.platform.gateway.metrics.times(minutes);
    let ago = SignedDuration::try_from(ago).unwrap_or_default();
    let since = Timestamp::now().checked_sub(ago).unwrap_or_default();
    let shown: Vec<Value> = times.iter().take(limit).map(times_of).collect();
    Ok(pretty(
        StatusCode::OK,
        &json!({"since": instant::format(since), "times": shown, "totalRecords": times.len()}),
    ))
}

fn times_of(of: &RouteTimes) -> Value {
    let milliseconds = |us: u64| us as f64 / 1_000.0;
    let durations = &of.durations;
    let mut shown = json!({
        "route": of.route,
        "method": of.method,
        "requests": durations.requests,
        "failed": durations.failed,
        "totalMilliseconds": milliseconds(durations.total_us),
        "p50Milliseconds": milliseconds(durations.p50_us),
        "p95Milliseconds": milliseconds(durations.p95_us),
        "p99Milliseconds": milliseconds(durations.p99_us),
        "maxMilliseconds": milliseconds(durations.max_us),
    });
    if let Some(tenant) = &of.tenant {
        shown["tenant"] = json!(tenant);
    }
    shown
}
