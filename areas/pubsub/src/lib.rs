//! Event types, who publishes and subscribes to them, and the delivery of events by HTTP.
//!
//! FOLIO's mod-pubsub, without Kafka: an event is queued for each subscriber in the transaction that makes it,
//! and jobs deliver it ([0045](../../../docs/decisions/0045-pub-sub-by-jobs.md)).

pub mod app;
mod http;
pub mod routes;
pub mod rules;
mod shapes;
pub mod store;

pub use routes::modules;
