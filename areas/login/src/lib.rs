//! How users prove who they are: credentials, log-in, tokens.

pub mod app;
pub mod collections;
mod http;
pub mod routes;
mod store;

pub use routes::modules;
