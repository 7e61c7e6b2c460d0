//! Users of a tenant and what describes them: patron groups, address types, departments, proxies.

pub mod collections;
pub mod routes;

pub use routes::modules;
