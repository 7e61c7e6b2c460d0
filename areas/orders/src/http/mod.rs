//! mod-orders-storage and mod-orders over HTTP: requests and responses, no decisions.

pub mod lists;
mod refusal;
pub mod storage;

pub use refusal::item;
