//! Decisions about users and their related records, without I/O.

pub mod consortium;
pub mod custom_field;
pub mod custom_value;
pub mod formats;
pub mod picture;
pub mod staging;
pub mod user_form;
