//! MARC source records and their mapping to instances.

pub mod collections;
pub mod mapping;
pub mod routes;

pub use routes::modules;
