//! `octavo load`: records from files and generators into a tenant.

use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Subcommand};
use octavo_demo::{Policies, SampleSize, sample_library};
use octavo_records::Tenant;

use super::tenant::wishes;
use crate::cli::DatabaseArgs;
use crate::host::database::Host;
use crate::host::documents;

/// Bring records into a tenant.
#[derive(Debug, Subcommand)]
pub enum LoadCommand {
    /// Make a large library, the same for the same seed: instances, holdings, items, patrons and
    /// open loans.
    Sample(SampleArgs),
}

/// What the sample is like.
#[derive(Debug, Args)]
pub struct SampleArgs {
    /// The tenant; made with `octavo tenant create` or `octavo serve --demo`
    #[arg(long, default_value = "diku")]
    tenant: String,
    /// Items, with two instances for every three of them
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    items: u64,
    /// Patrons
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    patrons: u64,
    /// Items that are on loan
    #[arg(long, default_value_t = 5_000, value_name = "N")]
    loans: u64,
    /// Another seed makes another library
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Runs it.
///
/// # Errors
/// A message with the remedy.
pub async fn run(command: LoadCommand) -> anyhow::Result<ExitCode> {
    match command {
        LoadCommand::Sample(args) => sample(args).await,
    }
}

async fn sample(args: SampleArgs) -> anyhow::Result<ExitCode> {
    let tenant = Tenant::new(&args.tenant)?;
    let size = SampleSize { items: args.items, patrons: args.patrons, open_loans: args.loans };
    let now = jiff::Timestamp::now();
    let library = sample_library(size, args.seed, now, Policies::default())?;
    let host = Host::open(&args.database, wishes()).await?;
    require(&host, &tenant).await?;
    let started = Instant::now();
    // The places are FOLIO's own and may be there from the demo library.
    let places = present_places(&host, &tenant).await?;
    let documents = library.filter(move |document| {
        !(places && octavo_demo::PLACE_TABLES.contains(&document.table))
    });
    let instances = args.items.div_ceil(3) * 2;
    let total = args.items + args.patrons + args.loans + 2 * instances;
    let loaded = documents::load(&host.platform, &tenant, documents, Some(total)).await?;
    for (table, records) in &loaded {
        println!("{records:>10} {table}");
    }
    println!("loaded in {:.1} s", started.elapsed().as_secs_f64());
    host.close().await;
    Ok(ExitCode::SUCCESS)
}

/// Refuses a tenant that does not exist, naming those that do.
async fn require(host: &Host, tenant: &Tenant) -> anyhow::Result<()> {
    let ids = host.platform.tenants.load(&host.platform.store).await?;
    if !ids.iter().any(|id| id == tenant.id()) {
        anyhow::bail!(
            "there is no tenant {}; make it with `octavo tenant create {}` (there are: {})",
            tenant.id(),
            tenant.id(),
            if ids.is_empty() { "none".to_owned() } else { ids.join(", ") }
        );
    }
    Ok(())
}

async fn present_places(host: &Host, tenant: &Tenant) -> anyhow::Result<bool> {
    let sql = format!("SELECT EXISTS (SELECT 1 FROM {}.location)", tenant.schema());
    let rows = host.platform.store.database.query(&sql, &[]).await?;
    Ok(rows.first().is_some_and(|row| row.get(0)))
}
