//! What runs beside requests: timers, the audit log, threads for slow work, and the invalidation of
//! caches across processes.

pub mod audit;
pub(crate) mod change_listener;
pub mod cpu_pool;
pub(crate) mod invalidation_barrier;
pub(crate) mod listened_event;
pub mod timers;
