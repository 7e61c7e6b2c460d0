//! Invoices with their lines, vouchers and batch exports.

pub mod routes;

pub use routes::modules;
