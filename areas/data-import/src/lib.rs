//! Imports of MARC: files, jobs and their logs.
//!
//! What clients send is kept as it came, and a worker does it chunk by chunk: [`app::work`]. What is
//! decided about a record stands in `rules/`, without I/O.

pub mod app;
mod apply;
mod collections;
mod http;
pub mod load;
pub mod routes;
mod rules;
mod store;

pub use routes::modules;
