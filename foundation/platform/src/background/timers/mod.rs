//! Timers: what modules do periodically for each tenant, natively or by a call of their `_timer`
//! interface.

pub(crate) mod scheduler;
pub(crate) mod store;

pub use scheduler::{TimerState, run, timers_of};
pub(crate) use scheduler::{declared_entry, patched};
