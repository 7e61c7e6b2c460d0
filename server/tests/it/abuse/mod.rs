//! Malicious requests: heads that two servers parse differently, disguised paths, values that are
//! statements, everything too large, everything too slow. The server refuses each or closes the
//! connection, and still serves other clients.

mod paths;
mod raw;
mod sizes;
mod slow;
mod smuggling;
mod values;
mod weight;

use std::time::Duration;

use octavo_platform::Composition;
use octavo_testkit::Library;

use octavo_server_testkit::{composition, start};

/// A composition with short time-outs and few permits.
fn hasty() -> Composition {
    let mut composition = composition();
    composition.limits.head_timeout = Duration::from_millis(400);
    composition.limits.body_timeout = Duration::from_millis(800);
    composition.limits.idle_timeout = Duration::from_millis(600);
    composition.limits.requests = 4;
    composition.limits.connections = 24;
    composition
}

async fn hasty_library() -> Library {
    start(hasty).await
}

/// Messages of FOLIO's modules that are refusals but have status 500.
const FOLIO_FAULTS: [&str; 5] = [
    // In lists of fees, for a query that cannot be run.
    "CQL",
    "Profile picture feature is not enabled for tenant",
    "failed to save profile picture",
    "Requested image should be of supported type",
    "Requested file size should be within allowed size",
];

/// Whether a response reports a fault of the server.
fn is_fault(status: u16, text: &str) -> bool {
    status >= 500 && !FOLIO_FAULTS.iter().any(|known| text.starts_with(known))
}
