//! The probes that run beside the load: their arguments, and the probes of one run.

use std::time::{Duration, Instant};

use clap::Args;
use octavo_figures::run::Probed;
use octavo_probes::{
    LogTarget, PostgresTarget, ProbeOptions, Probes, ProcessTarget, PrometheusTarget, ServerTarget,
};

use crate::duration;
use crate::session::{Session, Target};

/// The probes that run beside the load.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Beside the load")]
pub struct ProbeArgs {
    /// Processor time and memory of processes of this machine: server, postgres, a process id,
    /// port:9130, name:java, java@8081, cgroup:/system.slice/x.service, separated by commas.
    /// `postgres` also probes the database of an octavo server
    #[arg(long, value_name = "PROCESSES", value_delimiter = ',')]
    pub probe_pid: Vec<ProcessTarget>,
    /// Connections, statements, cache, locks of a PostgreSQL: `server` for the one that octavo runs
    /// itself, or an address such as postgres://user@host/database; repeat it for replicas
    #[arg(long, value_name = "ADDRESS")]
    pub probe_postgres: Vec<PostgresTarget>,
    /// Let the probe run CREATE EXTENSION pg_stat_statements if it is missing
    #[arg(long)]
    pub probe_postgres_create_extension: bool,
    /// Metrics in Prometheus' format, including those of a JVM: http://host:8081/metrics,jvm_
    #[arg(long, value_name = "URL[,PREFIX…]")]
    pub probe_prometheus: Vec<PrometheusTarget>,
    /// A log of a FOLIO module, to find searches without an index; whole:FILE includes its present
    /// content
    #[arg(long, value_name = "FILE")]
    pub probe_log: Vec<LogTarget>,
    /// How often the probes sample
    #[arg(long, default_value = "1s", value_parser = duration::parse, value_name = "TIME")]
    pub probe_every: Duration,
}

/// The probes of a run.
pub(super) struct Probing {
    runtime: tokio::runtime::Runtime,
    probes: Probes,
    /// The duration of an earlier part of the run.
    offset: Duration,
}

impl Probing {
    /// Starts the probes, if there are any. A report gets the server's version and its index advice
    /// in any case.
    pub(super) fn start(
        arguments: &ProbeArgs,
        target: &Target,
        report: bool,
    ) -> std::io::Result<Option<Self>> {
        let mut options = ProbeOptions {
            target: Some(target.url.clone()),
            processes: arguments.probe_pid.clone(),
            postgres: arguments.probe_postgres.clone(),
            create_extension: arguments.probe_postgres_create_extension,
            prometheus: arguments.probe_prometheus.clone(),
            logs: arguments.probe_log.clone(),
            server: None,
            trust: target.trust.clone(),
            interval: arguments.probe_every,
        };
        if options.is_empty() && !report {
            return Ok(None);
        }
        if options.processes.contains(&ProcessTarget::Postgres) && options.postgres.is_empty() {
            options.postgres.push(PostgresTarget::OfServer);
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        // If the server refuses, the run itself reports it next.
        if let Ok(session) = runtime.block_on(Session::open(target)) {
            options.server = Some(ServerTarget {
                url: target.url.clone(),
                tenant: target.tenant.clone(),
                token: session.token().to_owned(),
            });
        }
        let mut probes = Probes::start(options, Instant::now());
        runtime.block_on(probes.ready());
        Ok(Some(Self {
            runtime,
            probes,
            offset: Duration::ZERO,
        }))
    }

    /// Sets when the run began, and how much of it an earlier part has done.
    pub(super) fn run_begins(&mut self, at: Instant, offset: Duration) {
        self.probes.run_begins(at);
        self.offset = offset;
    }

    /// The samples.
    pub(super) fn finish(self) -> Probed {
        let mut probed = self.runtime.block_on(self.probes.finish());
        let points = probed
            .series
            .iter_mut()
            .flat_map(|series| &mut series.points);
        points.for_each(|(at_s, _)| *at_s += self.offset.as_secs_f64());
        probed
    }
}
