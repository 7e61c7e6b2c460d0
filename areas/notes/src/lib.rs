//! Notes and the records they are linked to.

pub mod collections;
pub mod routes;

pub use routes::modules;
