//! `POST /reading-lists/handlers/event`: an event that mod-pubsub delivers. The body is the event's payload. The
//! module has to declare itself a subscriber first, with this path as its callback.

use http::{Request, StatusCode};
use hyper::body::Incoming;
use serde_json::Value;

use crate::Module;
use crate::answer::{self, Refusal, Response};
use crate::caller::Caller;

/// Takes an event; what it holds is in the journal of calls.
pub async fn take(
    module: &Module,
    caller: Caller,
    request: Request<Incoming>,
) -> Result<Response, Refusal> {
    let payload: Value = answer::body(request).await?;
    module.call_log.note("event", &caller.tenant, payload);
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
