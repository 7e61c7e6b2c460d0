//! Probes against real processes, a real PostgreSQL, endpoints on loopback and real files.

mod logs;
mod postgres;
mod processes;
mod prometheus;
mod replicas;
mod server;
mod support;
