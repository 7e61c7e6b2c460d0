//! mod-orders-storage and mod-orders over HTTP: requests and responses, no decisions.

pub mod acts;
pub mod config;
pub mod lists;
pub mod order_lines;
pub mod orders;
pub mod receiving;
mod refusal;
pub mod storage;

pub use refusal::item;
