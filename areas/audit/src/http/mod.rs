//! Requests and answers of this area.

pub mod acquisitions;
pub mod inventory;
pub mod marc;
mod parameters;
mod refusal;
pub mod settings;
pub mod timers;
