//! What an import is to do: profiles, their associations, protected fields.

pub mod routes;

pub use routes::modules;
