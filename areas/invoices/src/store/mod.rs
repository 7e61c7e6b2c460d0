//! The statements of this area.

pub mod documents;
pub mod exports;
pub mod finance;
pub mod invariants;
pub mod invoices;
pub mod numbers;
pub mod orders;
pub mod settings;
pub mod vouchers;

pub use octavo_records::Tables;
