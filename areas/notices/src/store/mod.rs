//! This area's own statements. Users, the patrons' notice policies and the configuration are read
//! from their own tables.

pub mod dispatch;
pub mod lookups;
pub mod notifications;
pub mod printing;
pub mod queue;
