//! mod-user-import: creates and updates many users from another system, repeatedly.

pub mod app;
mod http;
pub mod routes;
pub mod rules;
mod store;

pub use routes::modules;
