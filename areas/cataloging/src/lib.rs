//! MARC records and what is derived from them, written together; the editor of MARC records.

pub mod app;
pub mod bulk;
pub mod collections;
pub mod derive;
pub mod editor;
pub mod http;
pub mod overlay;
pub mod propagation;
pub mod quick_marc;
pub mod routes;
mod shapes;
pub mod store;
pub mod validation;

pub use routes::modules;
