//! The subcommands that call a running server over HTTP, one a file.

pub mod profile;
mod target;
pub mod trace;
mod xml;
