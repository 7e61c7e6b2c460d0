//! Orders with their lines, titles and pieces; receiving, claims and acquisitions units.
//!
//! FOLIO's mod-orders-storage and mod-orders. Record types are declared in [`collections`], routes in
//! [`routes`]; operations are in [`app`], decisions and computations without I/O in [`rules`].

pub mod app;
pub mod collections;
pub mod http;
pub mod refusal;
pub mod routes;
pub mod rules;
mod shapes;
pub mod store;

pub use routes::modules;
