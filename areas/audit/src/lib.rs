//! History of records: who changed orders, invoices, organizations, inventory and MARC records, when, and what.
//!
//! FOLIO's mod-audit, apart from the circulation log. Most of it is read from the outbox by a job; MARC records
//! have no events, so a trigger notes their changes, and what changed is computed when somebody asks
//! ([0049](../../../docs/decisions/0049-history-from-the-outbox.md)).

pub mod app;
mod collections;
mod http;
pub mod routes;
pub mod rules;
mod shapes;
pub mod store;

pub use routes::modules;
