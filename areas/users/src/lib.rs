//! Users of a tenant and what describes them: patron groups, address types, departments, proxies,
//! custom fields, pins, pictures, registrations and settings.

pub mod app;
pub mod collections;
mod http;
pub mod routes;
mod rules;
mod store;

pub use http::refusal::{Writing, user as refused};
pub use routes::modules;
