//! mod-users-bl: users with all that belongs to them, and the ways to a forgotten password.

pub mod app;
mod http;
pub mod routes;
pub mod rules;
mod store;

pub use routes::modules;
