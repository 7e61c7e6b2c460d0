//! `octavo tenant`: tenants made and listed from the command line.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::Subcommand;
use octavo_login::app::set_up_administrator::set_up_administrator;
use octavo_platform::token::LoginSettings;
use octavo_records::Tenant;
use rand::distr::{Alphanumeric, SampleString};

use crate::cli::DatabaseArgs;
use crate::host::database::{Host, Wishes};

/// Make and list tenants.
#[derive(Debug, Subcommand)]
pub enum TenantCommand {
    /// Make a tenant with reference data and an administrator.
    ///
    /// The administrator's password is taken from OCTAVO_ADMIN_PASSWORD; without it one is made
    /// and printed once.
    Create {
        /// The id: a lower-case letter, then letters and digits, at most 31
        id: String,
        /// The name people know it by
        #[arg(long)]
        name: Option<String>,
        /// The administrator's user name
        #[arg(long, default_value = "admin")]
        admin: String,
        /// Which database to use
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// List the tenants.
    List {
        /// Which database to use
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

/// What commands beside the server want of the database: any, and all the time they need.
#[must_use]
pub fn wishes() -> Wishes {
    Wishes {
        lanes: 1,
        statement_timeout: Duration::ZERO,
        own: false,
        readers: None,
        suppress_locking_until: None,
        login: LoginSettings::default(),
    }
}

/// Runs it.
///
/// # Errors
/// A message with the remedy.
pub async fn run(command: TenantCommand) -> anyhow::Result<ExitCode> {
    match command {
        TenantCommand::Create {
            id,
            name,
            admin,
            database,
        } => {
            let tenant = Tenant::new(&id)?;
            let host = Host::open(&database, wishes()).await?;
            create(&host, &tenant, name.as_deref().unwrap_or(&id), &admin).await?;
            host.close().await;
        }
        TenantCommand::List { database } => {
            let host = Host::open(&database, wishes()).await?;
            for id in host.platform.tenants.load(&host.platform.store).await? {
                println!("{id}");
            }
            host.close().await;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn create(host: &Host, tenant: &Tenant, name: &str, admin: &str) -> anyhow::Result<()> {
    let platform = &host.platform;
    platform
        .tenants
        .provision(&platform.store, &platform.modules, tenant, name)
        .await?;
    let given = std::env::var("OCTAVO_ADMIN_PASSWORD")
        .ok()
        .filter(|text| !text.is_empty());
    let made = given.is_none();
    let password = given.unwrap_or_else(|| Alphanumeric.sample_string(&mut rand::rng(), 20));
    let new = set_up_administrator(platform, tenant, admin, &password)
        .await
        .context("the administrator could not be made")?;
    println!("tenant {} is ready", tenant.id());
    match (new, made) {
        (true, true) => println!("user {admin}, password {password} (shown once)"),
        (true, false) => println!("user {admin}, password from OCTAVO_ADMIN_PASSWORD"),
        (false, _) => println!("user {admin} was there already; the password is unchanged"),
    }
    Ok(())
}

/// Refuses a tenant that does not exist, naming those that do.
///
/// # Errors
/// When there is none, or the database does not answer.
pub async fn require(host: &Host, tenant: &Tenant) -> anyhow::Result<()> {
    let ids = host.platform.tenants.load(&host.platform.store).await?;
    if !ids.iter().any(|id| id == tenant.id()) {
        anyhow::bail!(
            "there is no tenant {0}; make it with `octavo tenant create {0}` (there are: {1})",
            tenant.id(),
            if ids.is_empty() {
                "none".to_owned()
            } else {
                ids.join(", ")
            }
        );
    }
    Ok(())
}
