//! Fiscal years, ledgers, funds, budgets, transactions and rollovers.
//!
//! Later areas call `app::transactions` in their own database transaction, and look up funds, fiscal years
//! and budgets by `app::lookups`.

pub mod app;
pub mod collections;
pub mod http;
pub mod money;
pub mod records;
pub mod refusal;
pub mod rollover_followers;
pub mod routes;
pub mod rules;
pub mod shapes;
pub mod store;

pub use money::Amount;
pub use routes::{modules, modules_with};
