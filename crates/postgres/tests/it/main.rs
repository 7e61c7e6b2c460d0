//! Tests of the crate on a real PostgreSQL, as one binary.

mod concurrency;
mod database;
mod embedded;
mod errors;
mod faults;
mod listener;
mod migrate;
mod support;
mod transaction;
