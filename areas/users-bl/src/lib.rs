//! mod-users-bl: users with all that belongs to them, and the ways to a forgotten password.

pub mod routes;

pub use routes::modules;
