//! The server without its command line: the composition of all areas, the process's directory,
//! database, keys and certificate, and the commands that open the database. It does not depend on
//! the workbench, so neither the server nor the tests of areas wait for that to compile.

pub mod command;
pub mod compose;
pub mod data_dir;
pub mod database;
pub mod database_args;
pub mod demo;
pub mod documents;
pub mod gateway;
pub mod housekeeping;
pub mod kafka;
pub mod key;
pub mod log;
pub mod login_args;
pub mod metrics;
pub mod open_files;
pub mod otlp;
pub mod profile;
pub mod readers;
pub mod tenants;
pub mod tls;
pub mod workbench;
