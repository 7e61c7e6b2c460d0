//! Authority records and their links with instances: mod-entities-links.

pub mod app;
pub mod collections;
pub mod http;
pub mod link_followers;
pub mod routes;
pub mod rules;
mod shapes;
pub mod store;

pub use routes::{modules, modules_with};
