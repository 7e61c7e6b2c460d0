//! Probes of real processes, a real PostgreSQL, endpoints on loopback and real files.

#![allow(
    clippy::unwrap_used,
    reason = "clippy's exception for tests does not reach helpers"
)]

mod logs;
mod postgres;
mod processes;
mod prometheus;
mod replicas;
mod server;
mod support;
mod tls;
