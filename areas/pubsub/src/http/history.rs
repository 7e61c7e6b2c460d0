//! `/pubsub/history` and `/pubsub/audit-messages`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{Answer, ApiError, Call};
use octavo_records::instant;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::rules::Refusal;
use crate::rules::period::{End, instant as end_of};
use crate::store::events::{self, Narrowed};

/// 200 with what became of the events of a period.
///
/// # Errors
/// 400 without the period.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let (first, last) = (call.parameter("startDate")?, call.parameter("endDate")?);
    let (Some(first), Some(last)) = (first, last) else {
        return Err(Refusal::NoDates.answer());
    };
    let at = |text: &str, end| {
        let at = end_of(text.trim(), end).map(instant::format);
        at.ok_or_else(|| Refusal::UnknownDate.answer())
    };
    let event = call.parameter("eventId")?.filter(|text| !text.is_empty());
    let narrowed = Narrowed {
        first: at(&first, End::First)?,
        last: at(&last, End::Last)?,
        // What is no id is that of no event.
        event: event.map(|text| Uuid::try_parse(&text).unwrap_or_default()),
        kind: call.parameter("eventType")?.filter(|text| !text.is_empty()),
        correlation: call
            .parameter("correlationId")?
            .filter(|text| !text.is_empty()),
    };
    let found = events::history(&call.store().database, call.tables(), &narrowed);
    let (mut messages, total) = found.await?;
    for message in &mut messages {
        message["tenantId"] = Value::from(call.tenant.id());
    }
    let page = json!({"auditMessages": messages, "totalRecords": total});
    Ok(pretty(StatusCode::OK, &page))
}

/// 404: payloads are not kept, as in FOLIO unless it is started otherwise.
///
/// # Errors
/// Always.
pub async fn payload(call: Call) -> Result<Response, ApiError> {
    let event = Uuid::try_parse(call.segment("eventId")).unwrap_or_default();
    Err(Refusal::NoPayload(event).answer())
}
