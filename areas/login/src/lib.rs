//! How users prove who they are: credentials, log-in, tokens.

pub mod app;
pub mod collections;
mod http;
mod limits;
mod password_collections;
mod password_routes;
pub mod routes;
mod sessions;
mod store;

pub use routes::modules;
pub use sessions::{StoredSessions, remove_ended};
