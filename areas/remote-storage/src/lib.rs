//! Remote storage: which locations lie in one, what it is to take in, and what it is to send.
//!
//! FOLIO's mod-remote-storage. The queues are filled by triggers on items, requests and check-ins, in the
//! transaction of the change ([0044](../../../docs/decisions/0044-queues-of-remote-storage-by-triggers.md)).

pub mod app;
pub mod collections;
mod http;
pub mod routes;
pub mod rules;
mod shapes;
pub mod store;

pub use routes::modules;
