//! Users, patron groups, proxies, credentials and permissions of a tenant.

pub mod app;
pub mod collections;
mod directory;
mod http;
pub mod routes;
mod store;

pub use directory::UserDirectory;
pub use routes::modules;
