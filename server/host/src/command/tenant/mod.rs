//! `octavo tenant`: creates, lists, upgrades and purges tenants from the command line, beside a
//! running server or without one.

mod create;
mod list;
mod purge;
mod upgrade;

use std::process::ExitCode;
use std::time::Duration;

use clap::Subcommand;
use octavo_jobs::Workers;
use octavo_platform::Governance;
use octavo_platform::proxy::RemoteLimits;
use octavo_platform::tenants::{NotReady, tenant_of};
use octavo_platform::token::LoginSettings;
use octavo_records::Tenant;

use crate::database::{Host, HostOptions};
use crate::database_args::DatabaseArgs;

/// Create, list, upgrade and purge tenants.
#[derive(Debug, Subcommand)]
pub enum TenantCommand {
    /// Create a tenant with reference data and an administrator.
    ///
    /// A tenant is a library with users, records and settings of its own; nothing is shared with
    /// others. A running server serves it at once: its clients send the id as X-Okapi-Tenant.
    ///
    /// The administrator's password is taken from OCTAVO_ADMIN_PASSWORD; without it one is
    /// generated and printed once. For an existing tenant, the command adds the administrator.
    #[command(after_help = "Examples:\n  \
        octavo tenant create college --name \"Riverside College\"\n  \
        octavo tenant create sandbox --sample       a small library to try things out with\n  \
        octavo tenant create target --no-reference  empty, for records of another system")]
    Create(create::CreateArgs),
    /// List the tenants with name, size and whether they are upgraded.
    List {
        /// Only the ids, one a line, for scripts
        #[arg(long)]
        ids: bool,
        /// Which database to use
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Upgrade tenants to this release now.
    ///
    /// A server does so by itself: at a tenant's first request, and for all others one after the
    /// other after its start. This command does it beforehand or beside the server, and also checks
    /// tables and indexes of tenants that are marked as upgraded.
    #[command(after_help = "Examples:\n  \
        octavo tenant upgrade                all tenants\n  \
        octavo tenant upgrade college diku   these")]
    Upgrade {
        /// The tenants [default: all]
        #[arg(value_name = "ID")]
        ids: Vec<String>,
        /// Which database to use
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Delete a tenant with all its users and records, permanently.
    ///
    /// From then on running servers answer its requests as those of an unknown tenant. The id can
    /// be used for a new tenant. Only a backup can restore the records.
    Purge {
        /// The tenant
        id: String,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
        /// Which database to use
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

/// The database options of commands beside the server: any database, and no time limits.
#[must_use]
pub fn command_options() -> HostOptions {
    HostOptions {
        lanes: 1,
        transactions_at_once: None,
        statement_timeout: Duration::ZERO,
        own: false,
        readers: None,
        suppress_locking_until: None,
        login: LoginSettings::default(),
        governance: Governance::default(),
        remote: RemoteLimits::default(),
        workbench: std::sync::Arc::default(),
        workers: Workers::default(),
    }
}

/// Runs the command.
///
/// # Errors
/// A message with the remedy.
pub async fn run(command: TenantCommand) -> anyhow::Result<ExitCode> {
    // Reports bad arguments before the database is opened.
    let database = match &command {
        TenantCommand::Create(args) => {
            tenant_of(&args.id)?;
            &args.database
        }
        TenantCommand::Upgrade { ids, database } => {
            for id in ids {
                tenant_of(id)?;
            }
            database
        }
        TenantCommand::Purge { id, yes, database } => {
            tenant_of(id)?;
            purge::refuse_without_consent(id, *yes)?;
            database
        }
        TenantCommand::List { database, .. } => database,
    };
    let host = Host::open(database, command_options()).await?;
    let outcome = match &command {
        TenantCommand::Create(args) => create::run(&host, args).await,
        TenantCommand::List { ids, .. } => list::run(&host, *ids).await,
        TenantCommand::Upgrade { ids, .. } => upgrade::run(&host, ids).await,
        TenantCommand::Purge { id, yes, .. } => purge::run(&host, id, *yes).await,
    };
    host.close().await;
    outcome
}

/// Fails for a tenant that does not exist, naming those that do. Upgrades a tenant of an earlier
/// release.
///
/// # Errors
/// When there is no such tenant, or its upgrade fails.
pub async fn require(host: &Host, tenant: &Tenant) -> anyhow::Result<()> {
    let platform = &host.platform;
    let ids = platform.store.tenant_ids().await?;
    if !ids.iter().any(|id| id == tenant.id()) {
        anyhow::bail!(
            "there is no tenant {0}; create it with `octavo tenant create {0}` (there are: {1})",
            tenant.id(),
            if ids.is_empty() {
                "none".to_owned()
            } else {
                ids.join(", ")
            }
        );
    }
    // The server may not have upgraded it yet.
    if let Err(NotReady::Failed(_)) = platform.tenants.ready(tenant).await {
        anyhow::bail!(
            "tenant {0} was last served by another version and cannot be upgraded; \
             `octavo tenant upgrade {0}` shows the reason",
            tenant.id()
        );
    }
    Ok(())
}
