//! The routes: the state of the relay, and the stream of events.

mod page;
mod stream;

use std::sync::Arc;

use http::Method;
use octavo_platform::{Handler, Interface, Module};

use self::stream::Streams;

/// The permission to see how far events were passed on.
pub const RELAY_PERMISSION: &str = "octavo.relay.get";
/// The permission to read all events of the tenant: whatever the library stores is in them.
pub const EVENTS_PERMISSION: &str = "octavo.events.get";

/// The routes as a module of their own, since FOLIO has none like them.
#[must_use]
pub fn module() -> Module {
    let streams = Arc::new(Streams::default());
    let stream = Handler::call(move |call| stream::begin(Arc::clone(&streams), call));
    let interface = Interface::new("octavo-events", "1.0")
        .route(
            Method::GET,
            "/_/octavo/relay",
            RELAY_PERMISSION,
            Handler::call(page::show),
        )
        .route(Method::GET, "/_/octavo/events", EVENTS_PERMISSION, stream);
    Module::new("octavo-events", env!("CARGO_PKG_VERSION"))
        .permissions(include_str!("permissions.tsv"))
        .migration("relay", include_str!("../migration.sql"))
        .interface(interface)
}
