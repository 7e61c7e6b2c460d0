//! mod-pubsub.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, Timer};

use crate::app::wake::Wake;
use crate::http::{event_types, events, history, modules as registered};
use crate::shapes;

/// The module of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    let wake = Arc::new(Wake::default());
    let look = Handler::call(move |call| events::look(Arc::clone(&wake), call));
    let module = Module::new("mod-pubsub", "2.16.3")
        .system("_tenant", "2.0")
        .reads("loan loan_policy")
        .needs(include_str!("needs.tsv"))
        .permissions(include_str!("permissions.tsv"))
        .migration("pubsub", include_str!("migrations/pubsub.sql"))
        .migration(
            "pubsub log records",
            include_str!("migrations/log_records.sql"),
        )
        .migration(
            "pubsub_outbox_payloads",
            include_str!("migrations/outbox_payloads.sql"),
        )
        .migration(
            "pubsub_outbox_seldom",
            include_str!("migrations/outbox_seldom.sql"),
        )
        .emptying("pubsub_audit_message")
        .timer(Timer::every(2, "second", "/pubsub/deliveries", look))
        .interface(of_event_types())
        .interface(publishers())
        .interface(subscribers())
        .interface(audit())
        .interface(publishing())
        .interface(messaging_modules());
    vec![shapes::declared(module)]
}

const TYPES: &str = "/pubsub/event-types";
const TYPE: &str = "/pubsub/event-types/{eventTypeName}";

fn of_event_types() -> Interface {
    let permission = |name: &str| format!("pubsub.event-types.{name}");
    Interface::new("pubsub-event-types", "0.1")
        .route(
            Method::GET,
            TYPES,
            &permission("collection.get"),
            Handler::call(event_types::list),
        )
        .route(
            Method::POST,
            TYPES,
            &permission("post"),
            Handler::transaction(event_types::create),
        )
        .route(
            Method::GET,
            TYPE,
            &permission("item.get"),
            Handler::call(event_types::read),
        )
        .route(
            Method::PUT,
            TYPE,
            &permission("put"),
            Handler::transaction(event_types::replace),
        )
        .route(
            Method::DELETE,
            TYPE,
            &permission("delete"),
            Handler::transaction(event_types::delete),
        )
}

fn publishers() -> Interface {
    let of_type = "/pubsub/event-types/{eventTypeName}/publishers";
    Interface::new("pubsub-publishers", "0.1")
        .route(
            Method::POST,
            "/pubsub/event-types/declare/publisher",
            "pubsub.publishers.post",
            Handler::transaction(registered::publisher),
        )
        .route(
            Method::DELETE,
            of_type,
            "pubsub.publishers.delete",
            Handler::transaction(registered::forget_publisher),
        )
        .route(
            Method::GET,
            of_type,
            "pubsub.publishers.get",
            Handler::call(registered::publishers),
        )
}

fn subscribers() -> Interface {
    let of_type = "/pubsub/event-types/{eventTypeName}/subscribers";
    Interface::new("pubsub-subscribers", "0.1")
        .route(
            Method::POST,
            "/pubsub/event-types/declare/subscriber",
            "pubsub.subscribers.post",
            Handler::transaction(registered::subscriber),
        )
        .route(
            Method::DELETE,
            of_type,
            "pubsub.subscribers.delete",
            Handler::transaction(registered::forget_subscriber),
        )
        .route(
            Method::GET,
            of_type,
            "pubsub.subscribers.get",
            Handler::call(registered::subscribers),
        )
}

fn audit() -> Interface {
    Interface::new("pubsub-audit", "0.1")
        .route(
            Method::GET,
            "/pubsub/history",
            "pubsub.audit.history.get",
            Handler::call(history::list),
        )
        .route(
            Method::GET,
            "/pubsub/audit-messages/{eventId}/payload",
            "pubsub.audit.message.payload.get",
            Handler::call(history::payload),
        )
}

fn publishing() -> Interface {
    Interface::new("pubsub-publish", "0.1").route(
        Method::POST,
        "/pubsub/publish",
        "pubsub.publish.post",
        Handler::transaction(events::publish),
    )
}

fn messaging_modules() -> Interface {
    Interface::new("pubsub-messaging-modules", "0.1").route(
        Method::DELETE,
        "/pubsub/messaging-modules",
        "pubsub.messaging-modules.delete",
        Handler::transaction(registered::forget_module),
    )
}
