//! The tests' server: a database copied from a template for each test, the composed product in
//! process on a free port, and an HTTP client. Dev-only.

mod client;
mod database_url;
mod library;
pub mod plans;
mod proxy;
mod remote_module;
mod smtp;

pub use client::{Answer, Client, error_text};
pub use database_url::database_url;
pub use library::{Library, PASSWORD, Server, TENANT, USERNAME};
pub use octavo_postgres::testing::{TestCluster, TestDatabase, base_directory};
pub use proxy::{FaultProxy, Upstream};
pub use remote_module::{Phase, RemoteModule, RemoteOptions};
pub use smtp::{Delivered, SmtpOptions, SmtpServer};
