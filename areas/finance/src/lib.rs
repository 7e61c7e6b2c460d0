//! Fiscal years, ledgers, funds, budgets, transactions and rollovers.

pub mod routes;

pub use routes::modules;
