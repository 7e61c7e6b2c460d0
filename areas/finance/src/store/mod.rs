//! This area's own statements.

pub mod accounts;
pub mod budgets;
pub mod numbers;
pub mod statuses;
pub mod transactions;
pub mod views;
pub mod years;

pub use octavo_records::Tables;
