//! What users may do: permissions, sets of them, and who was given which.

pub mod app;
pub mod collections;
mod directory;
pub mod http;
pub mod refusal;
pub mod routes;
pub mod rules;
pub mod store;

pub use directory::UserDirectory;
pub use routes::modules;
