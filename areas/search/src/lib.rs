//! Searching, facets and browsing of the inventory: mod-search's routes, answered from tables that
//! triggers keep in the transaction of each change.

pub mod app;
pub mod http;
pub mod query;
pub mod routes;
mod shapes;
pub mod store;

pub use routes::modules;
