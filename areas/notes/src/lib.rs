//! Notes and the records they are linked to; tags.

pub mod app;
pub mod collections;
pub mod http;
pub mod routes;
pub mod sanitize;
pub mod store;

pub use routes::modules;
