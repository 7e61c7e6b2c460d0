//! The subcommands that need no database, one a file: most call a running server over HTTP.

pub mod openapi;
pub mod profile;
mod target;
pub mod trace;
pub mod workloads;
mod xml;
