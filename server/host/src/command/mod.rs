//! The subcommands that open the database, one a file.

pub mod cql;
pub mod doctor;
pub mod export;
pub mod index;
pub mod key;
pub mod load;
pub mod serve;
mod table;
pub mod tenant;
pub mod user;
