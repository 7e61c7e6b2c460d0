//! Invoices with their lines, vouchers and batch exports.

pub mod routes;
pub mod rules;

pub use routes::modules;
