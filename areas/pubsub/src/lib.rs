//! Event types, who publishes and subscribes to them, and the delivery of events by HTTP.

pub mod routes;

pub use routes::modules;
