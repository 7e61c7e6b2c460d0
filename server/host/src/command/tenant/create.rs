//! `octavo tenant create`.

use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use octavo_login::app::set_up_administrator::set_up_administrator;
use octavo_platform::tenants::{NewTenant, TenantRefusal, tenant_of};
use rand::distr::{Alphanumeric, SampleString};

use crate::database::Host;
use crate::database_args::DatabaseArgs;
use crate::demo::open_desks;

/// The length of a generated password.
const PASSWORD_CHARS: usize = 20;

/// The properties of the tenant.
#[derive(Debug, Args)]
pub struct CreateArgs {
    /// The id: a lower-case letter, then letters and digits, at most 31
    pub id: String,
    /// The name people know it by [default: the id]
    #[arg(long)]
    name: Option<String>,
    /// A description
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// The administrator's user name
    #[arg(long, default_value = "admin")]
    admin: String,
    /// Leave out the types, statuses and policies that FOLIO ships
    #[arg(long)]
    no_reference: bool,
    /// Load the demo library: titles, items, patrons and loans
    #[arg(long, conflicts_with = "no_reference")]
    sample: bool,
    /// Which database to use
    #[command(flatten)]
    pub database: DatabaseArgs,
}

/// Creates the tenant.
///
/// # Errors
/// A message with the remedy.
pub async fn run(host: &Host, args: &CreateArgs) -> anyhow::Result<ExitCode> {
    let platform = &host.platform;
    let tenant = tenant_of(&args.id)?;
    let new = NewTenant {
        name: args.name.clone(),
        description: args.description.clone(),
        reference: !args.no_reference,
        native_modules: true,
    };
    match platform.tenants.create(tenant.id(), &new).await {
        Ok(_) => {}
        Err(TenantRefusal::Duplicate(_)) => {
            platform.tenants.ready(&tenant).await?;
            println!("tenant {} was there already", tenant.id());
        }
        Err(refusal) => return Err(refusal.into()),
    }
    if args.sample {
        let loaded = platform.tenants.load_samples(&tenant).await?;
        let records: u64 = loaded.iter().map(|(_, records)| records).sum();
        println!("the demo library is loaded: {records} records");
    }
    let given = std::env::var("OCTAVO_ADMIN_PASSWORD")
        .ok()
        .filter(|text| !text.is_empty());
    let made = given.is_none();
    let password =
        given.unwrap_or_else(|| Alphanumeric.sample_string(&mut rand::rng(), PASSWORD_CHARS));
    let admin = &args.admin;
    let is_new = set_up_administrator(platform, &tenant, admin, &password)
        .await
        .context("the administrator could not be created")?;
    if args.sample {
        open_desks(platform, &tenant, admin).await?;
    }
    println!("tenant {} is ready", tenant.id());
    match (is_new, made) {
        (true, true) => println!("user {admin}, password {password} (shown once)"),
        (true, false) => println!("user {admin}, password from OCTAVO_ADMIN_PASSWORD"),
        (false, _) => println!("user {admin} was there already; the password is unchanged"),
    }
    Ok(ExitCode::SUCCESS)
}
