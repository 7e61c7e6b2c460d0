//! Publishes the tenants' events: a relay to Kafka in the form of FOLIO's modules, and a stream of events
//! over HTTP.
//!
//! Knows the outbox, the names and forms of topics, and a sink. The client of Kafka is behind the feature
//! `kafka`. Must not know any area.

#[cfg(feature = "kafka")]
pub mod kafka;
pub mod memory;
pub mod message;
pub mod naming;
pub mod settings;
pub mod sink;
pub mod store;
pub mod topics;

mod http;
mod lease;
mod pump;
mod run;
mod status;
mod upkeep;

pub use http::{EVENTS_PERMISSION, RELAY_PERMISSION, module};
pub use lease::{Lease, LeaseTimes};
pub use pump::{KAFKA, Parts, Pump, PumpError};
pub use run::{Relay, Subscriber, Subscribers};
pub use status::Status;
