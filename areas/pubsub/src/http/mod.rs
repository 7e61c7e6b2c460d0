//! mod-pubsub over HTTP: requests and responses, no decisions.

mod bodies;
pub mod event_types;
pub mod events;
pub mod history;
pub mod modules;
mod refusal;
