//! `GET /_/octavo/relay`: how far the events of the caller's tenant were passed on, and what was parked.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use octavo_records::instant;
use octavo_records::store::backlog;
use serde_json::{Value, json};

use crate::pump::KAFKA;
use crate::store::parked::{self, ParkedEvent};
use crate::store::{lease, state};

/// How far unsent events are counted.
const COUNTED_MAX: i64 = 1_000_000;
/// The parked events that are listed.
const LISTED_MAX: i64 = 100;

/// 200 with the state; `configured` is false where nobody has ever relayed this tenant's events.
pub(super) async fn show(call: Call) -> Result<Response, ApiError> {
    let database = &call.writer().database;
    let Some(sent) = state::read(database, &call.tenant, KAFKA).await? else {
        return Ok(pretty(StatusCode::OK, &json!({"configured": false})));
    };
    let left = backlog(database, &call.tenant, &sent.cursor, COUNTED_MAX).await?;
    let (parked, total) = parked::list(database, &call.tenant, LISTED_MAX).await?;
    let remaining = lease::remaining(database, KAFKA).await;
    let remaining = remaining.map_err(octavo_records::StoreError::from)?;
    let shown: Vec<Value> = parked.iter().map(document).collect();
    let body = json!({
        "configured": true,
        // Whether some process passes events on at this moment.
        "running": remaining.is_some_and(|seconds| seconds > 0.0),
        "eventsSent": sent.events,
        "lastSent": sent.sent_at.map(instant::format),
        "eventsUnsent": left.events,
        "oldestUnsentMilliseconds": left.oldest_ms,
        "parked": shown,
        "totalParked": total,
    });
    Ok(pretty(StatusCode::OK, &body))
}

fn document(event: &ParkedEvent) -> Value {
    json!({
        "position": event.position,
        "eventId": event.event_id,
        "topic": event.topic,
        "key": event.key,
        "type": event.kind,
        "bytes": event.bytes,
        "reason": event.reason,
        "parkedDate": instant::format(event.parked_at),
    })
}
