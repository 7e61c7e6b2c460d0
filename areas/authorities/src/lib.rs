//! Authority records and their links with instances.

pub mod routes;

pub use routes::modules;
