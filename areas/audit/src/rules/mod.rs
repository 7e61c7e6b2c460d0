//! Decisions and computations of this area, without I/O: what an event says of a record, what differs between two
//! versions of it, and which settings are valid.

pub mod change;
pub mod compared;
pub mod event;
pub mod inventory_diff;
pub mod marc_diff;
pub mod setting;
