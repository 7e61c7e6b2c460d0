//! Tests' own server: a database copied from a template for each test, the composed product in
//! process on a free port, and a client that speaks to it over HTTP. Dev-only.

mod client;
mod library;

pub use client::{Answer, Client};
pub use library::{Library, PASSWORD, TENANT, USERNAME};
pub use octavo_postgres::testing::{TestCluster, TestDatabase};
