//! `octavo user`: unlocks users and sets passwords.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use octavo_login::app::create_credentials::user_named;
use octavo_login::app::restore_access::{give_password, unlock};
use octavo_records::Tenant;
use rand::distr::{Alphanumeric, SampleString};
use uuid::Uuid;

use super::tenant::{command_options, require};
use crate::database::Host;
use crate::database_args::DatabaseArgs;

/// The length of a generated password.
const PASSWORD_CHARS: usize = 20;
/// The environment variable with the password.
const PASSWORD: &str = "OCTAVO_USER_PASSWORD";

/// Unlock users and set passwords.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Unlock a user after failed log-ins, and make the user active.
    ///
    /// A lock expires by itself after some minutes (`octavo serve --login-fail-lock`); this removes
    /// it now. The password stays.
    #[command(after_help = "Example:\n  octavo user unlock diku_admin --tenant diku")]
    Unlock(UserArgs),
    /// Set a user's password.
    ///
    /// The password is taken from OCTAVO_USER_PASSWORD; without it one is generated and printed
    /// once. The user's sessions end, and links for setting a password become invalid. A lock is
    /// removed; an inactive user stays inactive (`octavo user unlock`).
    #[command(after_help = "Example:\n  octavo user password diku_admin --tenant diku")]
    Password(UserArgs),
}

/// Which user.
#[derive(Debug, Args)]
pub struct UserArgs {
    /// The user's name, or id
    user: String,
    /// The tenant
    #[arg(long, default_value = "diku")]
    tenant: String,
    /// Which database to use
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Runs the command.
///
/// # Errors
/// A message with the remedy.
pub async fn run(command: UserCommand) -> anyhow::Result<ExitCode> {
    let (UserCommand::Unlock(args) | UserCommand::Password(args)) = &command;
    let tenant = Tenant::new(&args.tenant)?;
    let host = Host::open(&args.database, command_options()).await?;
    let outcome = async {
        require(&host, &tenant).await?;
        let id = find(&host, &tenant, &args.user).await?;
        match &command {
            UserCommand::Unlock(args) => let_in(&host, &tenant, id, &args.user).await,
            UserCommand::Password(args) => another(&host, &tenant, id, &args.user).await,
        }
    }
    .await;
    host.close().await;
    outcome?;
    Ok(ExitCode::SUCCESS)
}

async fn find(host: &Host, tenant: &Tenant, user: &str) -> anyhow::Result<Uuid> {
    if let Some(id) = user_named(&host.platform, tenant, user).await? {
        return Ok(id.uuid());
    }
    let nobody = || format!("tenant {} has no user {user:?}", tenant.id());
    let id = Uuid::try_parse(user).ok().with_context(nobody)?;
    let sql = format!("SELECT 1 FROM {}.users WHERE id = $1", tenant.schema());
    let rows = host.platform.store.database.query(&sql, &[&id]).await?;
    rows.first().map(|_| id).with_context(nobody)
}

async fn let_in(host: &Host, tenant: &Tenant, id: Uuid, user: &str) -> anyhow::Result<()> {
    let barred = unlock(&host.platform, tenant, id.into()).await?;
    let barred = barred.with_context(|| format!("tenant {} has no user {user:?}", tenant.id()))?;
    match (barred.locked, barred.inactive) {
        (false, false) => println!("user {user} was neither locked out nor inactive"),
        (true, false) => println!("user {user} was locked out, and may log in again"),
        (_, true) => println!("user {user} was inactive, and may log in again"),
    }
    Ok(())
}

async fn another(host: &Host, tenant: &Tenant, id: Uuid, user: &str) -> anyhow::Result<()> {
    let given = std::env::var(PASSWORD).ok().filter(|text| !text.is_empty());
    let made = given.is_none();
    let password =
        given.unwrap_or_else(|| Alphanumeric.sample_string(&mut rand::rng(), PASSWORD_CHARS));
    give_password(&host.platform, tenant, id.into(), &password)
        .await
        .context("the password could not be set")?;
    match made {
        true => println!("user {user}, password {password} (shown once)"),
        false => println!("user {user}, password from {PASSWORD}"),
    }
    Ok(())
}
