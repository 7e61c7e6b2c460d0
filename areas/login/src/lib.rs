//! Authentication of users: credentials, log-in, tokens and sessions.

pub mod app;
pub mod collections;
mod expression;
mod http;
mod limits;
mod lock_rules;
mod password_collections;
mod password_routes;
pub mod routes;
mod sessions;
mod shapes;
mod store;
mod validation_routes;
mod validation_rule;

pub use http::login::{login as log_in, login_with_expiry as log_in_with_expiry};
pub use routes::modules;
pub use sessions::{StoredSessions, remove_ended};
