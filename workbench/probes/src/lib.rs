//! Samples a system beside a load: processes, PostgreSQL and its replicas, Prometheus endpoints,
//! logs, the server's own advice. It changes nothing in what it samples and never stops a run: a
//! failure becomes a note.

mod drive;
mod health;
mod log;
mod machine;
mod options;
mod postgres;
mod probes;
mod process;
mod prometheus;
mod recorder;
mod server;

pub use options::{
    LogTarget, OptionError, PostgresTarget, ProbeOptions, ProcessTarget, PrometheusTarget,
    ServerTarget,
};
pub use probes::{Probes, Reading};
