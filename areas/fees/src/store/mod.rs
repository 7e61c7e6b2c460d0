//! This area's own statements.

pub mod accounts;
pub mod balances;
mod blocks;
pub mod patron_counters;
pub mod reports;
pub mod summary;

pub use blocks::{AutomatedBlock, automated_blocks};
pub use octavo_records::Tables;
