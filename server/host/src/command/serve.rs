//! `octavo serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::{Args, ValueEnum};
use octavo_jobs::Workers;
use octavo_platform::tenants::{NewTenant, TenantRefusal};
use octavo_platform::{Governance, Platform, listen};
use octavo_records::Tenant;
use tokio::runtime::Handle;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;

use crate::database::{Host, HostOptions};
use crate::database_args::DatabaseArgs;
use crate::demo::fill_once;
use crate::gateway::GatewayArgs;
use crate::kafka::{self, KafkaArgs};
use crate::log::LogFormat;
use crate::login_args::LoginArgs;
use crate::otlp::{self, OtlpArgs};
use crate::readers::ReaderArgs;
use crate::tls::{Certificate, acceptor};
use crate::workbench::{Workbench, WorkloadSummary};
use crate::{data_dir, housekeeping, log, metrics, tenants};

/// The demo's tenant and its publicly known login, which are FOLIO's.
const DEMO: (&str, &str, &str) = ("diku", "diku_admin", "admin");

/// Run the server.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The address to listen on; 0.0.0.0:9130 for all addresses of this machine
    #[arg(
        long,
        env = "OCTAVO_LISTEN",
        default_value = "127.0.0.1:9130",
        value_name = "IP:PORT"
    )]
    pub listen: SocketAddr,
    /// Serve HTTPS with this certificate (PEM, with its chain)
    #[arg(
        long,
        env = "OCTAVO_TLS_CERT",
        value_name = "FILE",
        requires = "tls_key"
    )]
    pub tls_cert: Option<PathBuf>,
    /// The private key of --tls-cert (PEM)
    #[arg(
        long,
        env = "OCTAVO_TLS_KEY",
        value_name = "FILE",
        requires = "tls_cert"
    )]
    pub tls_key: Option<PathBuf>,
    /// Serve HTTPS with a certificate created at the first start
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "tls_cert")]
    pub tls: Option<TlsKind>,
    /// Create a demo library: tenant diku, user diku_admin with the password admin
    #[arg(long)]
    pub demo: bool,
    /// Allow --demo, whose password everybody knows, to be reached from other machines
    #[arg(long, requires = "demo")]
    pub demo_anyway: bool,
    /// Let operators run workloads against their own tenant from the staff client. A workload changes
    /// records and takes the server's time; with --demo this is so anyway
    #[arg(long)]
    pub workbench: bool,
    /// Database connections shared by single statements [default: number of cores plus two, 4 to
    /// 32]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub lanes: Option<u16>,
    /// Transactions that run at once; others wait a moment [default: three for each core, plus three]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub transactions: Option<u16>,
    /// Threads that serve requests [default: half of the cores; the database needs the others]; background work has one
    /// more
    #[arg(long, env = "OCTAVO_THREADS", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub threads: Option<u16>,
    /// Let `batch/synchronous-unsafe` replace records whatever their _version, until this instant
    /// (like 2026-01-31T12:30:00Z): for a migration
    #[arg(
        long,
        env = "DB_ALLOW_SUPPRESS_OPTIMISTIC_LOCKING",
        value_name = "INSTANT"
    )]
    pub allow_suppress_optimistic_locking: Option<jiff::Timestamp>,
    /// Also append the audit logs' entries to this file, as lines of JSON
    #[arg(long, env = "OCTAVO_AUDIT_FILE", value_name = "FILE")]
    pub audit_file: Option<PathBuf>,
    /// Keep audit logs this long
    #[arg(long, env = "OCTAVO_KEEP_AUDIT", default_value_t = 180, value_name = "DAYS", value_parser = clap::value_parser!(u16).range(1..=3_650))]
    pub keep_audit: u16,
    /// Keep domain events in the outbox this long
    #[arg(long, default_value_t = 72, value_name = "HOURS")]
    pub keep_events: u32,
    /// Tenants and modules
    #[command(flatten)]
    pub gateway: GatewayArgs,
    /// Log-ins and tokens
    #[command(flatten)]
    pub login: LoginArgs,
    /// Serve the figures for Prometheus at http://IP:PORT/metrics, to everybody who can reach it
    #[arg(long, env = "OCTAVO_METRICS_LISTEN", value_name = "IP:PORT")]
    pub metrics_listen: Option<SocketAddr>,
    /// The form of the log's lines
    #[arg(
        long,
        env = "OCTAVO_LOG_FORMAT",
        value_enum,
        default_value = "text",
        value_name = "FORMAT"
    )]
    pub log_format: LogFormat,
    /// The relay to Kafka
    #[command(flatten)]
    pub kafka: KafkaArgs,
    #[command(flatten)]
    pub otlp: OtlpArgs,
    /// Which database to use
    #[command(flatten)]
    pub database: DatabaseArgs,
    /// Read replicas
    #[command(flatten)]
    pub readers: ReaderArgs,
}

impl ServeArgs {
    /// The number of threads that serve requests, by default half of the cores: a thread without a
    /// free core only adds context switches, and PostgreSQL and its clients need cores too.
    #[must_use]
    pub fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        self.threads.map_or(cores.div_ceil(2), usize::from)
    }
}

/// The kind of certificate that Octavo creates.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum TlsKind {
    /// Self-signed; clients have to be configured to trust it.
    SelfSigned,
}

/// One lane for look-ups by key, and as many for searches as the machine can run at once.
fn lanes_for_cores() -> usize {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    (cores + 2).clamp(4, 32)
}

/// Three for each core: while one works, others wait for the disk or for the next statement. More would only displace
/// each other from the processors' caches.
fn transactions_for_cores() -> usize {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    3 * cores + 3
}

/// Runs the server, its background work on a runtime of its own.
///
/// # Errors
/// A message with the remedy.
pub async fn run(
    args: ServeArgs,
    workloads: Vec<WorkloadSummary>,
    background: Handle,
) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    if let Some(complaint) = log::to_stderr_as(args.log_format) {
        eprintln!("octavo: {complaint}; logging at info");
    }
    refuse_open_demo(&args)?;
    // The port is bound first: if it is taken, nothing has been started that would have to be
    // stopped.
    let listener = listen::bind(args.listen)
        .await
        .map_err(anyhow::Error::msg)?;
    let address = listener.local_addr()?;
    let metrics_listener = match args.metrics_listen {
        Some(address) => Some(listen::bind(address).await.map_err(anyhow::Error::msg)?),
        None => None,
    };
    let mut stop_signals = StopSignals {
        terminate: signal(SignalKind::terminate())?,
        interrupt: signal(SignalKind::interrupt())?,
    };
    let lanes = args.lanes.map_or_else(lanes_for_cores, usize::from);
    let workbench = Arc::new(Workbench {
        allows_runs: args.workbench || args.demo,
        workloads,
        folder: Some(data_dir::resolve(args.database.data_dir.clone())?.join("workload-runs")),
        url: OnceLock::from(url(&args, address)),
        is_self_signed: args.tls.is_some(),
    });
    let host_options = HostOptions {
        workbench,
        workers: Workers::on(background),
        lanes,
        transactions_at_once: Some(
            args.transactions
                .map_or_else(transactions_for_cores, usize::from),
        ),
        statement_timeout: Duration::from_secs(30),
        own: true,
        readers: args.readers.options(lanes)?,
        suppress_locking_until: args.allow_suppress_optimistic_locking,
        governance: Governance {
            // Not for a self-signed certificate: a browser would refuse plain HTTP on this host for
            // a year.
            strict_transport: args.tls_cert.is_some(),
            ..args.gateway.governance(args.demo.then_some(DEMO.0))
        },
        remote: args.gateway.limits(),
        login: args.login.settings(),
    };
    let opened = tokio::select! {
        opened = start(&args, host_options, address) => opened,
        () = stop_signals.next() => {
            eprintln!("octavo: stopped while starting");
            return Ok(ExitCode::SUCCESS);
        }
    };
    let (mut host, tls) = opened?;
    if let Some(listener) = metrics_listener {
        let serving = metrics::serve(Arc::clone(&host.platform), listener);
        host.background.spawn(serving);
    }
    banner(&args, address, started);
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = listen::serve(Arc::clone(&host.platform), listener, tls, async {
        let _ = stopped.await;
    });
    tokio::select! {
        () = serving => {}
        () = stop_signals.twice(stop) => eprintln!("octavo: not waiting for them any longer"),
    }
    host.platform.audit.flush().await;
    host.close().await;
    eprintln!("octavo: stopped");
    Ok(ExitCode::SUCCESS)
}

/// Refuses to serve the demo to other machines: everyone who can reach it is its administrator.
fn refuse_open_demo(args: &ServeArgs) -> anyhow::Result<()> {
    let address = args.listen;
    if args.demo && !address.ip().to_canonical().is_loopback() && !args.demo_anyway {
        bail!(
            "--demo makes an administrator whose password everybody knows, and {address} can be \
             reached from other machines; leave --listen out, or say --demo-anyway if all who reach \
             it may do everything"
        );
    }
    Ok(())
}

/// The signals that stop the server.
struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    /// Passes the first signal on, and completes at the second, when somebody is impatient.
    async fn twice(&mut self, stop: oneshot::Sender<()>) {
        self.next().await;
        eprintln!("octavo: finishing requests in flight; a second signal ends it at once");
        let _ = stop.send(());
        self.next().await;
    }
}

type Opened = (Host, Option<tokio_rustls::TlsAcceptor>);

async fn start(
    args: &ServeArgs,
    host_options: HostOptions,
    address: SocketAddr,
) -> anyhow::Result<Opened> {
    eprintln!("octavo {} is starting", env!("CARGO_PKG_VERSION"));
    let certificate = match (&args.tls_cert, &args.tls_key, args.tls) {
        (Some(chain), Some(key), _) => Some(Certificate::Files {
            chain: chain.clone(),
            key: key.clone(),
        }),
        (_, _, Some(TlsKind::SelfSigned)) => Some(Certificate::SelfSigned),
        _ => None,
    };
    // What can be refused at once comes before what takes time.
    let data_dir = data_dir::resolve(args.database.data_dir.clone())?;
    let tls = certificate
        .map(|certificate| acceptor(&certificate, &data_dir, address))
        .transpose()?;
    let kafka = match args.kafka.settings()? {
        Some((settings, naming)) => Some((kafka::sink(&settings)?, naming)),
        None => None,
    };
    let mut host = Host::open(&args.database, host_options).await?;
    if let Some(file) = &args.audit_file {
        host.platform.audit.set_file(file.clone());
    }
    if args.demo {
        demo(&host.platform).await?;
    }
    host.platform.remotes.listens_at(url(args, address));
    let following = host.platform.follow_changes().await?;
    host.background.spawn(following);
    if let Some((sink, naming)) = kafka {
        let (relay, status) = kafka::begin(&host.platform, sink, naming, url(args, address));
        host.relay = Some(relay);
        host.platform.gateway.sources.add(status);
    }
    if let Some(sending) = otlp::begin(&args.otlp, &host.platform)? {
        host.background.spawn(sending);
    }
    let runtime = host.platform.workers.runtime();
    let platform = || Arc::clone(&host.platform);
    let timers = octavo_platform::timers::run(platform());
    // However many tenants there are: a requested tenant is upgraded first, and no other request
    // waits.
    let upgrades = tenants::run(platform());
    let advice = housekeeping::keep_advice(platform());
    let keep_audit = i32::from(args.keep_audit);
    let keeping = housekeeping::run(platform(), args.keep_events, keep_audit);
    host.background.spawn_on(timers, &runtime);
    host.background.spawn_on(upgrades, &runtime);
    host.background.spawn_on(advice, &runtime);
    host.background.spawn_on(keeping, &runtime);
    Ok((host, tls))
}

/// Creates the demo library, once.
async fn demo(platform: &Arc<Platform>) -> anyhow::Result<()> {
    let (id, username, password) = DEMO;
    let tenant = Tenant::new(id)?;
    if !platform.tenants.exists(&tenant).await? {
        eprintln!("  making the demo tenant {id}: tables and reference data");
        let new = NewTenant {
            name: Some("Demo library".to_owned()),
            ..NewTenant::default()
        };
        match platform.tenants.create(id, &new).await {
            // Another process created it at the same moment.
            Ok(_) | Err(TenantRefusal::Duplicate(_)) => {}
            Err(refusal) => return Err(refusal.into()),
        }
    }
    // It is written to before its first request.
    platform.tenants.ready(&tenant).await?;
    fill_once(platform, &tenant, (username, password)).await
}

/// The URL at which a program on this machine reaches the server.
fn url(args: &ServeArgs, address: SocketAddr) -> String {
    let secure = args.tls.is_some() || args.tls_cert.is_some();
    let scheme = if secure { "https" } else { "http" };
    let shown = if address.ip().is_unspecified() {
        format!("localhost:{}", address.port())
    } else {
        address.to_string()
    };
    format!("{scheme}://{shown}")
}

fn banner(args: &ServeArgs, address: SocketAddr, started: Instant) {
    let insecure = if args.tls.is_some() { " -k" } else { "" };
    let url = url(args, address);
    println!(
        "\nOctavo is ready at {url}  (started in {:.1} s)",
        started.elapsed().as_secs_f64()
    );
    if args.demo {
        let (tenant, username, password) = DEMO;
        println!("  tenant    {tenant}\n  user      {username}\n  password  {password}");
        println!("  desk      {url}/staff/  (in a browser)\n");
        println!("Log in and look for a book:\n");
        println!(
            "  TOKEN=$(curl -s{insecure} {url}/authn/login -H 'X-Okapi-Tenant: {tenant}' \\\n    \
             -d '{{\"username\": \"{username}\", \"password\": \"{password}\"}}' \
             | sed 's/.*\"okapiToken\" : \"\\([^\"]*\\)\".*/\\1/;/^[{{}}]/d')"
        );
        println!(
            "  curl -s{insecure} -G {url}/inventory/instances -H \"X-Okapi-Tenant: {tenant}\" \
             -H \"X-Okapi-Token: $TOKEN\" \\\n    --data-urlencode 'query=title all \"pride prejudice\"'"
        );
    }
    if let Ok(program) = std::env::current_exe() {
        println!(
            "\nMore of it: {} --help (`make install` makes that `octavo`)",
            program.display()
        );
    }
    println!("Ctrl-C stops it.");
}
