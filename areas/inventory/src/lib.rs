//! Instances, holdings, items, locations, service points and their reference lists.
//!
//! FOLIO's mod-inventory-storage and mod-inventory. The record types are declared in [`collections`],
//! the routes in [`routes`]; operations are in [`app`], and computations without I/O in [`rules`].

pub mod app;
pub mod collections;
pub mod followers;
pub mod http;
pub mod reference;
pub mod routes;
pub mod rules;
mod shapes;
mod store;

pub use routes::modules;
