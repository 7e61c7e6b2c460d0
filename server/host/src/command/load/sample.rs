//! `octavo load sample`: generates a large library, the same for the same seed.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use octavo_demo::{Policies, SampleLibrary, SampleOrders, SampleSize};
use octavo_records::{StoreError, Tenant};
use serde::Deserialize;
use uuid::Uuid;

use crate::command::tenant::command_options;
use crate::command::tenant::require;
use crate::database::Host;
use crate::database_args::DatabaseArgs;
use crate::documents;

/// The size and content of the sample.
#[derive(Debug, Args)]
pub struct SampleArgs {
    /// The tenant, created by `octavo tenant create` or `octavo serve --demo`
    #[arg(long, default_value = "diku")]
    tenant: String,
    /// Items, with two instances and their MARC records for every three of them
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    items: u64,
    /// Patrons
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    patrons: u64,
    /// Items that are on loan
    #[arg(long, default_value_t = 5_000, value_name = "N")]
    loans: u64,
    /// Orders, each with one line: half of them open, three of ten closed, the others pending
    #[arg(long, default_value_t = 0, value_name = "N")]
    orders: u64,
    /// The orders have funds, budgets and encumbrances, closed ones invoices that are paid: 2.2 transactions for
    /// each order
    #[arg(long)]
    with_money: bool,
    /// One item for each instance, instead of three for two
    #[arg(long)]
    one_item_each: bool,
    /// Leave the instances' MARC records out
    #[arg(long)]
    without_marc: bool,
    /// Load nothing, but write the titles' MARC records to this file, for `octavo load marc`
    #[arg(long, value_name = "FILE", conflicts_with = "without_marc")]
    marc_file: Option<PathBuf>,
    /// The seed; each makes another library
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Runs the command.
///
/// # Errors
/// A message with the remedy.
pub(super) async fn run(args: SampleArgs) -> anyhow::Result<ExitCode> {
    let tenant = Tenant::new(&args.tenant)?;
    let size = SampleSize {
        items: args.items,
        patrons: args.patrons,
        open_loans: args.loans,
    };
    let now = jiff::Timestamp::now();
    let mut library = SampleLibrary::new(size, args.seed, now, Policies::default())?;
    if args.one_item_each {
        library = library.one_item_each();
    }
    if args.without_marc {
        library = library.without_marc();
    }
    if let Some(path) = &args.marc_file {
        return write_marc(&library, path);
    }
    let host = Host::open(&args.database, command_options()).await?;
    require(&host, &tenant).await?;
    let started = Instant::now();
    // The locations are FOLIO's own and may exist from the demo library.
    let present = present_places(&host, &tenant).await?;
    let mut orders = SampleOrders::new(args.orders, args.seed, now);
    if args.with_money {
        orders = orders.with_money();
    }
    let documents = library
        .documents()
        .filter(move |document| !present.contains(&document.id))
        .chain(orders.documents());
    let total = library.documents_beside_places() + orders.count();
    let loaded = documents::load(&host.platform.store, &tenant, documents, Some(total))
        .await
        .map_err(|error| explained(error, &tenant))?;
    for (table, records) in &loaded {
        println!("{records:>10} {table}");
    }
    println!("loaded in {:.1} s", started.elapsed().as_secs_f64());
    host.close().await;
    Ok(ExitCode::SUCCESS)
}

/// Writes the records in the form in which they would have been loaded.
fn write_marc(library: &SampleLibrary, path: &Path) -> anyhow::Result<ExitCode> {
    let failed = || format!("{} cannot be written", path.display());
    let mut file = BufWriter::new(File::create(path).with_context(failed)?);
    let mut records = 0_u64;
    let sources = library
        .documents()
        .skip_while(|document| document.table != octavo_demo::table::SOURCE_RECORD)
        .take_while(|document| document.table == octavo_demo::table::SOURCE_RECORD);
    for document in sources {
        let source: Source<'_> = serde_json::from_str(&document.json)?;
        file.write_all(source.raw.content.as_bytes())
            .with_context(failed)?;
        records += 1;
    }
    file.flush().with_context(failed)?;
    println!("{records:>10} records in {}", path.display());
    Ok(ExitCode::SUCCESS)
}

/// The properties of a source record that are needed.
#[derive(Deserialize)]
struct Source<'a> {
    #[serde(rename = "rawRecord", borrow)]
    raw: RawRecord<'a>,
}

#[derive(Deserialize)]
struct RawRecord<'a> {
    #[serde(borrow)]
    content: Cow<'a, str>,
}

/// The ids of the tenant's locations.
async fn present_places(host: &Host, tenant: &Tenant) -> anyhow::Result<HashSet<Uuid>> {
    let mut present = HashSet::new();
    for table in octavo_demo::PLACE_TABLES {
        let sql = format!("SELECT id FROM {}.{table}", tenant.schema());
        let rows = host.platform.store.database.query(&sql, &[]).await?;
        present.extend(rows.iter().map(|row| row.get::<_, Uuid>("id")));
    }
    Ok(present)
}

/// Explains the error of a taken barcode.
fn explained(error: anyhow::Error, tenant: &Tenant) -> anyhow::Error {
    match error.downcast_ref::<StoreError>() {
        Some(StoreError::Duplicate { .. }) => anyhow::anyhow!(
            "tenant {} holds such records already ({error}). Nothing was loaded. A tenant takes \
             one sample, whatever its --seed; make another with `octavo tenant create`",
            tenant.id()
        ),
        _ => error.context("nothing was loaded"),
    }
}
