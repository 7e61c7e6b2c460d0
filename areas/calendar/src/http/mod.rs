//! mod-calendar over HTTP: requests and responses, no decisions.

pub mod calendars;
pub mod dates;
mod parameters;
mod refusal;
