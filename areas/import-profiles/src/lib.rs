//! Profiles of data imports, their associations, and protected fields.

pub mod app;
pub mod collections;
pub mod http;
pub mod kind;
pub mod makers;
pub mod protection;
pub mod relation;
pub mod routes;
pub mod rules;
pub mod store;
pub mod tree;

pub use kind::{ProfileKind, ReactTo};
pub use protection::Protection;
pub use routes::modules;
pub use tree::{Node, Tree};
