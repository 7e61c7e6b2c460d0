//! Orders with their lines, titles and pieces; receiving, claims and acquisitions units.

pub mod routes;

pub use routes::modules;
