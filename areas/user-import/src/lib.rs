//! mod-user-import: users that another system knows are made and changed here, by many, again and
//! again.

pub mod app;
mod http;
pub mod routes;
pub mod rules;
mod store;

pub use routes::modules;
