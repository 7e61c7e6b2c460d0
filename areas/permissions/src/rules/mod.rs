//! Decisions about permissions, without I/O.

pub mod announcement;
pub mod assigning;
pub mod cycle;
