//! The relay on a real PostgreSQL, with a sink in memory.

// A test that cannot begin fails.
#![allow(clippy::unwrap_used)]

#[cfg(feature = "kafka")]
mod broker;
#[cfg(feature = "kafka")]
mod broker_faults;
mod documented;
mod fixture;
mod keeping;
mod leases;
mod relaying;
#[cfg(feature = "kafka-tls")]
mod secured;
mod topics;
mod windows;
