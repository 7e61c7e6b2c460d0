//! Requests in, answers out; no decisions.

pub mod login;
