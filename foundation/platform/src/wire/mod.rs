//! Responses as clients see them: error bodies, JSON. Must not know requests.

pub mod error;
pub mod header_names;
pub mod respond;
