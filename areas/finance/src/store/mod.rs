//! This area's own statements.

pub mod accounts;
pub mod transactions;
pub mod years;

pub use octavo_records::Tables;
