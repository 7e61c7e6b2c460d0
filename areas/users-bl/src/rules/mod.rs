//! Decisions and computations, without I/O.

pub mod link;
pub mod locating;
pub mod notification;
pub mod parts;
