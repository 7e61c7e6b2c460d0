//! Instances, holdings, items, locations, service points and their reference lists.
//!
//! FOLIO's mod-inventory-storage and mod-inventory. The record types are declared in
//! [`collections`], the routes in [`routes`]; operations stand in [`app`], and what is computed from
//! records in [`rules`], without I/O.

pub mod app;
pub mod collections;
pub mod http;
pub mod reference;
pub mod routes;
pub mod rules;
mod store;

pub use routes::modules;
