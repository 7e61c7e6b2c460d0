//! What users may do: permissions, sets of them, and who was given which.

pub mod collections;
mod directory;
pub mod routes;
mod store;

pub use directory::UserDirectory;
pub use routes::modules;
