//! Exports of MARC: jobs, profiles and files.

pub mod app;
pub mod collections;
pub mod http;
pub mod marc;
pub mod routes;
pub mod rules;
mod shapes;
pub mod store;

pub use routes::modules;
