//! What an area declares: modules with their interfaces, routes, timers, reference data and permissions.

pub mod contents;
pub mod module;
pub mod permission_set;
pub mod reference;
pub mod route;
pub mod timer;
