//! This area's own statements.

pub mod accounts;
pub mod budgets;
pub mod classes;
pub mod codes;
pub mod groups;
pub mod invariants;
pub mod mail;
pub mod numbers;
pub mod rates;
pub mod rollovers;
pub mod statuses;
pub mod totals;
pub mod transactions;
pub mod units;
pub mod views;
pub mod years;

pub use octavo_records::Tables;
