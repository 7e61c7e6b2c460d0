//! mod-calendar over HTTP: requests in, answers out; no decisions.

pub mod calendars;
pub mod dates;
mod parameters;
mod refusal;
