//! Accounts, manual and automated patron blocks, overdue and lost item fee policies.

pub mod collections;
pub mod routes;

pub use routes::modules;
