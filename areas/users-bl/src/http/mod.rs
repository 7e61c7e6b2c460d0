//! Requests and responses, no decisions.

pub mod composites;
pub mod forgotten;
pub mod login;
pub mod passwords;
mod refusal;
pub mod transactions;
