//! Templates, notifications, messages, e-mail and letters. Areas to the right put notices into
//! [`queue`], inside their own transaction.

pub mod app;
pub mod collections;
pub mod http;
pub mod message;
pub mod mustache;
pub mod printing;
mod printing_routes;
pub mod queue;
pub mod render;
pub mod routes;
pub mod smtp;
pub mod store;

pub use routes::modules;
