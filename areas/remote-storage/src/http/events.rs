//! `/remote-storage/pub-sub-handlers/log-record-event`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{Answer, ApiError, Call};

use super::refusal::in_form;
use crate::app::handle_event::handle_event;
use crate::rules::body::Body;

/// 204, also for an event that means nothing to a storage.
///
/// # Errors
/// 404 when it is about an unknown item or user, 400 for the check-in of an item in no storage.
pub async fn log_record(call: Call) -> Result<Response, ApiError> {
    let event = call.json().map_err(in_form)?;
    let mut body = Body::new(&event);
    let kind = body.text("logEventType");
    body.done(kind).map_err(Answer::answer)?;
    handle_event(&call.context(), &event).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
