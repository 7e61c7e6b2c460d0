//! `/pubsub/event-types`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{Answer, ApiError, Call};
use serde_json::json;

use super::bodies::{DESCRIPTOR, read as read_body, text};
use crate::app::describe::{describe, forget, redescribe};
use crate::rules::Refusal;
use crate::store::event_types;

const NAME: &str = "eventTypeName";

/// 200 with all types.
///
/// # Errors
/// When the database does not answer.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let all = event_types::all(&call.store().database, call.tables()).await?;
    let page = json!({"totalRecords": all.len(), "eventDescriptors": all});
    Ok(pretty(StatusCode::OK, &page))
}

/// 201 with the descriptor.
///
/// # Errors
/// 400 when the type is described in another way.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let sent = read_body(&call, &DESCRIPTOR)?;
    let name = text(&sent["eventType"]);
    let stored = describe(&call.context(), &name, &sent).await?;
    Ok(pretty(StatusCode::CREATED, &stored))
}

/// 200 with the descriptor.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let name = call.segment(NAME);
    let found = event_types::one(&call.store().database, call.tables(), name).await?;
    let missing = || Refusal::NoEventType(name.to_owned()).answer();
    Ok(pretty(StatusCode::OK, &found.ok_or_else(missing)?))
}

/// 200 with the descriptor. The body names the type, not the path.
///
/// # Errors
/// 404 when there is none.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let sent = read_body(&call, &DESCRIPTOR)?;
    let name = text(&sent["eventType"]);
    let stored = redescribe(&call.context(), &name, &sent).await?;
    Ok(pretty(StatusCode::OK, &stored))
}

/// 204.
///
/// # Errors
/// 404 when there is none, 400 when modules are registered for it.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    forget(&call.context(), call.segment(NAME)).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
