//! Notifies a user through the module that provides the interface `notify`: a remote one if the tenant
//! has one, else our own.

use http::Method;
use octavo_boxed::boxed;
use octavo_platform::Call;
use serde_json::{Map, Value};

use crate::rules::notification::{Event, notification};

/// Sends a notification. A failure is only logged, as in FOLIO, without the user and the link.
#[boxed]
pub async fn notify(call: &Call, event: Event, user: &Value, more: Map<String, Value>) {
    let (tenant, event_name) = (call.tenant.id(), event.name());
    let body = notification(event, user, more);
    let Some(module) = call.remote("notify") else {
        notify_natively(call, event_name, body).await;
        return;
    };
    match module
        .send(call, Method::POST, "/notify", Some(&body))
        .await
    {
        Ok(answer) if answer.status.is_success() => {}
        Ok(answer) => tracing::error!(
            tenant,
            event = event_name,
            status = answer.status.as_u16(),
            "nothing was sent to the user: the module of the interface notify refused"
        ),
        Err(_) => tracing::error!(
            tenant,
            event = event_name,
            "nothing was sent to the user: the module of the interface notify did not answer"
        ),
    }
}

async fn notify_natively(call: &Call, event: &str, notification: Value) {
    let tenant = call.tenant.id();
    if !call.view.serves("notify") {
        tracing::warn!(
            tenant,
            event,
            "nothing was sent to the user: no module provides the interface notify"
        );
        return;
    }
    if let Err(error) = octavo_notices::app::notify::notify(call, notification).await {
        tracing::error!(tenant, event, %error, "nothing was sent to the user");
    }
}
