//! Organizations, their contacts, interfaces and credentials.

pub mod routes;

pub use routes::modules;
