//! What is decided or computed about permissions, apart from all I/O.

pub mod announcement;
pub mod assigning;
pub mod cycle;
