//! Accounts, manual and automated patron blocks, overdue and lost item fee policies.

pub mod account_followers;
pub mod accounting;
pub mod app;
pub mod collections;
pub mod http;
pub mod reports;
pub mod routes;
mod shapes;
pub mod store;

pub use routes::modules;
