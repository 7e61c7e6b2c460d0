//! Invoices with their lines, vouchers and batch exports.

pub mod app;
pub mod collections;
pub mod http;
pub mod refusal;
pub mod routes;
pub mod rules;
mod shapes;
pub mod store;
mod transfer;

pub use routes::modules;
