//! The operations: history from the outbox, settings, and the end of old entries.

pub mod change_setting;
pub mod expire;
pub mod keep_history;
pub mod work;

pub use octavo_records::Context;
