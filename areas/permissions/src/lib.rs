//! Permissions, permission sets, and the users to whom they are assigned.

pub mod app;
pub mod collections;
mod directory;
pub mod http;
pub mod refusal;
pub mod routes;
pub mod rules;
mod shapes;
pub mod store;

pub use directory::{UserDirectory, grants_of};
pub use routes::modules;
