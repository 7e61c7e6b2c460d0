//! MARC source records.

pub mod app;
pub mod collections;
pub mod expression;
pub mod http;
pub mod routes;
pub mod store;
pub mod terms;

pub use routes::modules;
