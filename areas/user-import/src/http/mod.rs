//! mod-user-import over HTTP.

pub mod import;
