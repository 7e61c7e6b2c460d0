//! The relay on a real PostgreSQL, with a sink in memory.

#[cfg(feature = "kafka")]
#![allow(clippy::unwrap_used)] // A test that cannot begin fails.

mod broker;
mod documented;
mod fixture;
mod keeping;
mod leases;
mod relaying;
mod topics;
mod windows;
