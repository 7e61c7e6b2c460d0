//! Instances, holdings, items, locations, service points and their reference lists.
//!
//! FOLIO's mod-inventory-storage and mod-inventory. The record types are declared in
//! [`collections`], the routes in [`routes`]; what is computed from them in [`rules`], without I/O.

pub mod collections;
pub mod reference;
pub mod routes;
pub mod rules;

pub use routes::modules;
