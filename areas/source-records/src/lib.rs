//! MARC source records.

pub mod app;
pub mod collections;
pub mod expression;
pub mod http;
pub mod matching;
pub mod routes;
pub mod search;
pub mod store;
pub mod terms;

pub use routes::modules;
