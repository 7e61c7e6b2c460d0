//! Imports of MARC: files, jobs and their logs.

pub mod load;
pub mod routes;

pub use routes::modules;
