//! MARC source records.

pub mod app;
pub mod collections;
pub mod http;
pub mod routes;
pub mod store;

pub use routes::modules;
