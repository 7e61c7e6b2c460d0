//! The command line.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

use octavo_host::command as database;

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
    /// Without --database-url it runs an embedded PostgreSQL in --data-dir: created at the first
    /// start, stopped with the server.
    Serve(Box<database::serve::ServeArgs>),
    /// Load records into a tenant.
    #[command(subcommand)]
    Load(database::load::LoadCommand),
    /// Write records to files.
    #[command(subcommand)]
    Export(database::export::ExportCommand),
    /// List searches without an index, and build one.
    #[command(subcommand)]
    Index(database::index::IndexCommand),
    /// Create, list, upgrade and purge tenants.
    #[command(subcommand)]
    Tenant(database::tenant::TenantCommand),
    /// Unlock users and set passwords.
    #[command(subcommand)]
    User(database::user::UserCommand),
    /// Check that a tenant's loans, items, requests, histories and accounts agree.
    ///
    /// Reads only, beside a running server, in one snapshot of the database. Fails when it finds an
    /// inconsistency, with the ids of a few records and the remedy.
    Doctor(database::doctor::DoctorArgs),
    /// Rotate and list the keys that tokens are signed with.
    #[command(subcommand)]
    Key(database::key::KeyCommand),
    /// Try CQL: what a query means, which index serves it, what it finds.
    #[command(subcommand)]
    Cql(database::cql::CqlCommand),
    /// Measure this server, or any FOLIO, the way FOLIO's performance team does.
    #[command(subcommand)]
    Workload(octavo_driver::cli::WorkloadCommand),
    /// Draw a flame graph of a running server.
    #[command(subcommand)]
    Profile(command::profile::ProfileCommand),
    /// Draw one request as a tree of stages and SQL with times.
    Trace(Box<command::trace::TraceArgs>),
    /// Describe the routes: OpenAPI, or TypeScript types of some of them.
    #[command(name = "openapi")]
    OpenApi(command::openapi::OpenApiArgs),
}

/// Runs the command.
///
/// # Errors
/// A message for the person at the terminal, with the remedy.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    // The one TLS provider of the process; a second installation would only report the first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    match cli.command {
        Command::Serve(args) => {
            let workloads = command::workloads::summaries();
            // Apart from requests: what works for milliseconds without a pause would hold them up.
            let background = runtime(1, "background")?;
            let threads = args.threads();
            let work = database::serve::run(*args, workloads, background.handle().clone());
            block_on(threads, work)
        }
        Command::Load(command) => block_on(2, until_interrupted(database::load::run(command))),
        Command::Export(command) => block_on(2, until_interrupted(database::export::run(command))),
        Command::Index(command) => block_on(2, until_interrupted(database::index::run(command))),
        Command::Tenant(command) => block_on(2, until_interrupted(database::tenant::run(command))),
        Command::User(command) => block_on(2, until_interrupted(database::user::run(command))),
        Command::Doctor(args) => block_on(2, until_interrupted(database::doctor::run(args))),
        Command::Key(command) => block_on(2, until_interrupted(database::key::run(command))),
        Command::Cql(command) => block_on(2, until_interrupted(database::cql::run(command))),
        Command::Profile(command) => block_on(1, until_interrupted(command::profile::run(command))),
        Command::Trace(args) => block_on(1, until_interrupted(command::trace::run(*args))),
        Command::OpenApi(args) => command::openapi::run(&args),
        Command::Workload(command) => octavo_driver::cli::run(command),
    }
}

fn block_on(
    threads: usize,
    work: impl Future<Output = anyhow::Result<ExitCode>>,
) -> anyhow::Result<ExitCode> {
    runtime(threads, "worker")?.block_on(work)
}

fn runtime(threads: usize, name: &str) -> anyhow::Result<Runtime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder
        .worker_threads(threads)
        .thread_name(name)
        .enable_all();
    Ok(builder.build()?)
}

/// Aborts the work at Ctrl-C or SIGTERM, so that an embedded PostgreSQL is stopped with it.
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
