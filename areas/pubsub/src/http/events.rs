//! `/pubsub/publish`, and the timer that looks for events that wait.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use uuid::Uuid;

use super::bodies::{EVENT, read, text};
use crate::app::deliver::Delivery;
use crate::app::publish;
use crate::app::wake::{self, Wake};
use crate::store::events::PublishedEvent;

/// 204 when the event is queued, also for nobody.
///
/// # Errors
/// 400 when the module is no publisher of the type, 422 for a body that is no event.
pub async fn publish(call: Call) -> Result<Response, ApiError> {
    let sent = read(&call, &EVENT)?;
    let metadata = &sent["eventMetadata"];
    let optional = |name: &str| metadata[name].as_str().map(str::to_owned);
    let published = PublishedEvent {
        event: Uuid::try_parse(&text(&sent["id"])).unwrap_or_default(),
        kind: text(&sent["eventType"]),
        payload: text(&sent["eventPayload"]),
        correlation: optional("correlationId"),
        creator: optional("createdBy"),
        publisher: optional("publishedBy"),
    };
    let tenant = text(&metadata["tenantId"]);
    publish::publish(&call.context(), &tenant, &published).await?;
    call.begin_work(Delivery::new(&call.platform));
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Goes on with deliveries that wait, and listens for new ones.
///
/// # Errors
/// None.
pub async fn look(wake: Arc<Wake>, call: Call) -> Result<Response, ApiError> {
    wake::listen(&wake, &call.platform).await;
    wake::begin(&call.platform, &call.tenant);
    Ok(empty(StatusCode::NO_CONTENT))
}
