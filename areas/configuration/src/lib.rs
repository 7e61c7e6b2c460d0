//! Configuration entries of a tenant, and their successors: settings by scope, the locale, the front
//! end's address and the library's addresses.

pub mod app;
pub mod collections;
pub mod http;
pub mod routes;
pub mod store;

pub use routes::modules;
