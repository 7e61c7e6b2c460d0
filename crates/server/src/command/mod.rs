//! The subcommands, one a file.

pub mod cql;
pub mod load;
pub mod serve;
pub mod tenant;
