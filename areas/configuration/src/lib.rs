//! Configuration entries of a tenant.

pub mod collections;
pub mod routes;

pub use routes::modules;
