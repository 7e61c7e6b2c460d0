//! Requests in, answers out; no decisions.

pub mod attempts;
pub mod cookies;
pub mod login;
pub mod refresh;
pub mod tokens;
