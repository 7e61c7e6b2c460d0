//! Decisions about organizations, without I/O.

pub mod accounts;
pub mod patterns;
