//! Decisions about imported users, without I/O.

pub mod document;
pub mod known;
pub mod mapping;
pub mod merging;
pub mod preference;
pub mod update_field;
