//! The program `octavo`: its command line, and the commands that ask a running server.

pub mod cli;
pub mod command;
