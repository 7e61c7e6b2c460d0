//! Decisions about users and their related records, without I/O.

pub mod consortium;
pub mod picture;
pub mod staging;
pub mod user_form;
