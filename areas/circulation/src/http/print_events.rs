//! Print events: recorded by clients, and counted.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_library::{RequestId, UserId};
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::instant;
use serde_json::{Value, json};

use super::{desk, unprocessable};
use crate::app::print_events::{Checked, Printed, REQUESTS_MAX, keep};
use crate::config_cache::ConfigCache;
use crate::refusal::DeskRefusal;
use crate::store::print_events::status;

const PROPERTIES: [&str; 4] = [
    "requestIds",
    "requesterId",
    "requesterName",
    "printEventDate",
];
const NOT_BLANK: &str = "must match \"^(?!\\s*$).+\"";

/// 204: the print event is recorded, and the requests show it.
///
/// # Errors
/// 422 when the event is not well formed, a request does not exist, or the tenant does not want it.
pub async fn enter(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let body = call.json()?;
    if !well_formed(&body) {
        return Err(unprocessable(&DeskRefusal::PrintEventInvalid));
    }
    let printed = printed(&body)?;
    keep(desk(&call, &cache), &printed, Checked::FeatureAndRequests).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// FOLIO's storage: 201.
///
/// # Errors
/// 422 when the event is not well formed, 413 when it names too many requests.
pub async fn store(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let printed = printed(&call.json()?)?;
    keep(desk(&call, &cache), &printed, Checked::Nothing).await?;
    Ok(empty(StatusCode::CREATED))
}

/// FOLIO's storage: 200 with how often each request was printed; unprinted ones are left out.
///
/// # Errors
/// 422 when no request is named, 413 when too many are.
pub async fn counted(call: Call) -> Result<Response, ApiError> {
    let requests = request_ids(&call.json()?)?;
    let found = status(&call.store().database, call.tables(), &requests).await?;
    let answer = json!({"totalRecords": found.len(), "printEventsStatusResponses": found});
    Ok(pretty(StatusCode::OK, &answer))
}

/// mod-circulation validates an event before its storage does.
fn well_formed(body: &Value) -> bool {
    let Some(event) = body.as_object() else {
        return false;
    };
    let mut names = event.keys();
    let requests = body["requestIds"].as_array();
    names.all(|name| PROPERTIES.contains(&name.as_str()))
        && requests.is_some_and(|ids| !ids.is_empty() && ids.iter().all(Value::is_string))
        && PROPERTIES[1..].iter().all(|name| body[*name].is_string())
}

fn printed(body: &Value) -> Result<Printed, ApiError> {
    let text = |name: &str| body[name].as_str().unwrap_or_default();
    let requests = request_ids(body)?;
    let requester_id = UserId::parse(text("requesterId"))
        .ok_or_else(|| ApiError::invalid("must be a UUID", "requesterId", text("requesterId")))?;
    if text("requesterName").trim().is_empty() {
        return Err(ApiError::invalid(
            NOT_BLANK,
            "requesterName",
            text("requesterName"),
        ));
    }
    let at = instant::parse(text("printEventDate")).ok_or_else(|| {
        let message = "must be a date and time, as in 2026-01-31T12:00:00.000+00:00";
        ApiError::invalid(message, "printEventDate", text("printEventDate"))
    })?;
    Ok(Printed {
        requests,
        requester_id,
        requester_name: text("requesterName").to_owned(),
        at,
    })
}

fn request_ids(body: &Value) -> Result<Vec<RequestId>, ApiError> {
    let given = body["requestIds"].as_array().map_or(&[][..], |ids| ids);
    if given.is_empty() {
        let message = "size must be between 1 and 2147483647";
        return Err(ApiError::invalid(message, "requestIds", "[]"));
    }
    if given.len() > REQUESTS_MAX {
        let message = format!("At most {REQUESTS_MAX} requests can be named at once");
        return Err(ApiError::text(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    let id = |value: &Value| {
        let text = value.as_str().unwrap_or_default();
        let message = "elements in list must be UUIDs";
        RequestId::parse(text)
            .ok_or_else(|| ApiError::invalid(message, "requestIds", value.to_string()))
    };
    given.iter().map(id).collect()
}
