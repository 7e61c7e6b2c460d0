//! The binary `octavo`: configuration, composition, subcommands.

pub mod cli;
pub mod command;
pub mod compose;
pub mod host;
pub mod profile;
