//! The command line.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use tokio::signal::unix::{SignalKind, signal};

use crate::command;

/// A library services platform that speaks FOLIO's APIs from one process and one PostgreSQL.
#[derive(Debug, Parser)]
#[command(name = "octavo", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server.
    ///
    /// Without --database-url it runs a PostgreSQL of its own in --data-dir: made at the first
    /// start, stopped with the server.
    Serve(Box<command::serve::ServeArgs>),
    /// Bring records into a tenant.
    #[command(subcommand)]
    Load(command::load::LoadCommand),
    /// Write records into files.
    #[command(subcommand)]
    Export(command::export::ExportCommand),
    /// See which searches lack an index, and make it.
    #[command(subcommand)]
    Index(command::index::IndexCommand),
    /// Make and list tenants.
    #[command(subcommand)]
    Tenant(command::tenant::TenantCommand),
    /// Let users in again who are locked out.
    #[command(subcommand)]
    User(command::user::UserCommand),
    /// Look whether a tenant's loans, items, requests, histories and accounts agree.
    ///
    /// Reads only, beside a running server, and in one moment of the database. Fails when something
    /// does not hold, with the ids of a few records and what to do.
    Doctor(command::doctor::DoctorArgs),
    /// Rotate and list the keys that tokens are signed with.
    #[command(subcommand)]
    Key(command::key::KeyCommand),
    /// Try CQL: what a query means, which index serves it, what it finds.
    #[command(subcommand)]
    Cql(command::cql::CqlCommand),
    /// Measure this server, or any FOLIO, the way FOLIO's performance team does.
    #[command(subcommand)]
    Workload(octavo_driver::cli::WorkloadCommand),
    /// Draw a flame graph of a running server.
    #[command(subcommand)]
    Profile(command::profile::ProfileCommand),
    /// Draw one request as a tree of stages and SQL with times.
    Trace(Box<command::trace::TraceArgs>),
}

/// Which database to use.
#[derive(Debug, Clone, Args)]
pub struct DatabaseArgs {
    /// Where the embedded PostgreSQL is kept
    /// [default: /var/lib/octavo as root, else ~/.local/share/octavo]
    #[arg(long, env = "OCTAVO_DATA_DIR", value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Use this PostgreSQL (15 to 18) instead of an embedded one, as in
    /// postgresql://octavo@db.example.org/octavo
    #[arg(
        long,
        env = "OCTAVO_DATABASE_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    pub database_url: Option<String>,
    /// The directory of the PostgreSQL programs (initdb, postgres) for the embedded one
    #[arg(long, env = "OCTAVO_PG_BIN", value_name = "DIR")]
    pub postgres_bin: Option<PathBuf>,
}

/// Runs the command that was given.
///
/// # Errors
/// A message for the person at the terminal, with the remedy.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    // The one TLS provider of the process; a second installation would only report the first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    match cli.command {
        Command::Serve(args) => block_on(args.threads(), command::serve::run(*args)),
        Command::Load(command) => block_on(2, until_interrupted(command::load::run(command))),
        Command::Export(command) => block_on(2, until_interrupted(command::export::run(command))),
        Command::Index(command) => block_on(2, until_interrupted(command::index::run(command))),
        Command::Tenant(command) => block_on(2, until_interrupted(command::tenant::run(command))),
        Command::User(command) => block_on(2, until_interrupted(command::user::run(command))),
        Command::Doctor(args) => block_on(2, until_interrupted(command::doctor::run(args))),
        Command::Key(command) => block_on(2, until_interrupted(command::key::run(command))),
        Command::Cql(command) => block_on(2, until_interrupted(command::cql::run(command))),
        Command::Profile(command) => block_on(1, until_interrupted(command::profile::run(command))),
        Command::Trace(args) => block_on(1, until_interrupted(command::trace::run(*args))),
        Command::Workload(command) => octavo_driver::cli::run(command),
    }
}

fn block_on(
    threads: usize,
    work: impl Future<Output = anyhow::Result<ExitCode>>,
) -> anyhow::Result<ExitCode> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()?
        .block_on(work)
}

/// Gives the work up at Ctrl-C or SIGTERM, so that an embedded PostgreSQL is stopped with it.
async fn until_interrupted(
    work: impl Future<Output = anyhow::Result<ExitCode>>,
) -> anyhow::Result<ExitCode> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        outcome = work => outcome,
        _ = terminate.recv() => anyhow::bail!("terminated"),
        _ = interrupt.recv() => anyhow::bail!("interrupted"),
    }
}
