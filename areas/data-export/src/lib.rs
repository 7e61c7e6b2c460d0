//! Exports of MARC: jobs, profiles and files.

pub mod routes;

pub use routes::modules;
