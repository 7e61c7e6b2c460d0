//! mod-users-bl: composite users, and resetting forgotten passwords.

pub mod app;
mod http;
pub mod routes;
pub mod rules;
mod shapes;
mod store;

pub use routes::modules;
