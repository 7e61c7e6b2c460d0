//! Answers as clients see them: error bodies, JSON. Must not know what is asked.

pub mod error;
pub mod header_names;
pub mod respond;
