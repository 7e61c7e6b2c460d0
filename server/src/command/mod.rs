//! The subcommands, one a file.

pub mod cql;
pub mod doctor;
pub mod export;
pub mod index;
pub mod key;
pub mod load;
pub mod profile;
pub mod serve;
mod table;
mod target;
pub mod tenant;
pub mod trace;
pub mod user;
mod xml;
