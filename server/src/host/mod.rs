//! What a running process stands on: its directory, its database, its key, its certificate.

pub mod data_dir;
pub mod database;
pub mod demo;
pub mod documents;
pub mod gateway;
pub mod housekeeping;
pub mod key;
pub mod log;
pub mod login_args;
pub mod open_files;
pub mod readers;
pub mod tenants;
pub mod tls;
