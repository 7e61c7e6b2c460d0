//! MARC records and what is derived from them, written together; the editor of MARC records.

pub mod bulk;
pub mod routes;

pub use routes::modules;
