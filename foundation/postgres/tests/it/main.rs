//! Tests of the crate on a real PostgreSQL, as one binary.

#![allow(
    clippy::unwrap_used,
    reason = "clippy's exception for tests does not reach helpers"
)]

mod concurrency;
mod database;
mod embedded;
mod errors;
mod faults;
mod listener;
mod migrate;
mod readers;
mod searches;
mod support;
mod transaction;
