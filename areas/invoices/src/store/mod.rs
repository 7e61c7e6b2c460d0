//! The statements of this area.

pub mod documents;
pub mod exports;
pub mod invoices;
pub mod numbers;
pub mod vouchers;

pub use octavo_records::Tables;
