//! Decisions about definitions and values, without I/O.

pub mod definition;
mod formats;
pub mod value;
