//! Imports of MARC: files, jobs and their logs.
//!
//! Chunks and files are stored raw, and a worker processes them chunk by chunk: [`app::work`]. Decisions
//! about records are in `rules/`, without I/O.

pub mod app;
mod apply;
mod collections;
mod http;
pub mod load;
pub mod routes;
mod rules;
mod shapes;
mod store;

pub use routes::modules;
