//! MARC source records and their mapping to instances.

pub mod app;
pub mod collections;
pub mod http;
pub mod mapping;
pub mod routes;
pub mod store;

pub use routes::modules;
