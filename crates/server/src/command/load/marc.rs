//! `octavo load marc`: a file of MARC 21 records.

use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use octavo_marc::MarcReader;
use octavo_records::{Stamp, Tenant};
use octavo_source_records::app::load_marc::{HoldingsOptions, ItemOptions};
use octavo_source_records::app::{Context, LoadEvent, LoadOptions, LoadSummary, load_marc};
use uuid::Uuid;

use crate::cli::DatabaseArgs;
use crate::command::tenant::require;
use crate::command::tenant::wishes;
use crate::host::database::Host;

/// What is loaded, and what is made of it.
#[derive(Debug, Args)]
pub struct MarcArgs {
    /// The file; - for standard input
    file: PathBuf,
    /// The tenant
    #[arg(long, default_value = "diku")]
    tenant: String,
    /// Make holdings from field 852, or from the bibliographic call number
    #[arg(long)]
    holdings: bool,
    /// Make items too, for the barcodes in 852 $p and 876 $p
    #[arg(long)]
    items: bool,
    /// The location of holdings whose 852 names none: its code, name or id
    #[arg(long, value_name = "LOCATION", default_value = "KU/CC/DI/M")]
    location: String,
    /// The material type of items
    #[arg(long, value_name = "NAME", default_value = "book")]
    material_type: String,
    /// The loan type of items
    #[arg(long, value_name = "NAME", default_value = "Can circulate")]
    loan_type: String,
    /// Records stored together in one transaction
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    batch: u16,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Loads the file.
///
/// # Errors
/// A message with the remedy.
pub(super) async fn run(args: MarcArgs) -> anyhow::Result<ExitCode> {
    let tenant = Tenant::new(&args.tenant)?;
    let (input, size): (Box<dyn BufRead>, Option<u64>) = if args.file.as_os_str() == "-" {
        (Box::new(BufReader::new(stdin())), None)
    } else {
        let file = File::open(&args.file)
            .with_context(|| format!("{} cannot be opened", args.file.display()))?;
        let size = file.metadata().ok().map(|metadata| metadata.len());
        (Box::new(BufReader::with_capacity(1 << 20, file)), size)
    };
    let host = Host::open(&args.database, wishes()).await?;
    require(&host, &tenant).await?;
    let options = options(&host, &tenant, &args).await?;
    let store = &host.platform.store;
    let context = Context {
        store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    let bar = progress(size);
    let read = bar.wrap_read(input);
    let records = MarcReader::open(BufReader::new(read))
        .with_context(|| format!("{} cannot be read", args.file.display()))?;
    let started = Instant::now();
    let summary = load_marc(&context, records, &options, &mut |event| match event {
        LoadEvent::Progress(so_far) => bar.set_message(format!("{} records", so_far.read)),
        LoadEvent::Problem(problem) => bar.suspend(|| {
            eprintln!("  record {} skipped: {}", problem.position, problem.reason);
        }),
    })
    .await?;
    bar.finish_and_clear();
    report(&summary, started.elapsed().as_secs_f64());
    host.close().await;
    let none = summary.instances == 0 && summary.problems > 0;
    Ok(if none {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn report(summary: &LoadSummary, seconds: f64) {
    println!("{:>10} records read", summary.read);
    println!(
        "{:>10} instances with their source records",
        summary.instances
    );
    if summary.holdings > 0 {
        println!("{:>10} holdings", summary.holdings);
    }
    if summary.items > 0 {
        println!("{:>10} items", summary.items);
    }
    println!("{:>10} skipped", summary.problems);
    println!("loaded in {seconds:.1} s, snapshot {}", summary.snapshot_id);
}

async fn options(host: &Host, tenant: &Tenant, args: &MarcArgs) -> anyhow::Result<LoadOptions> {
    let mut options = LoadOptions {
        batch_records: usize::from(args.batch),
        ..LoadOptions::default()
    };
    if args.holdings || args.items {
        let items = if args.items {
            Some(ItemOptions {
                material_type_id: find(host, tenant, "material_type", &args.material_type).await?,
                loan_type_id: find(host, tenant, "loan_type", &args.loan_type).await?,
            })
        } else {
            None
        };
        let location_id = find(host, tenant, "location", &args.location).await?;
        options.holdings = Some(HoldingsOptions {
            location_id,
            holdings_type_id: None,
            items,
        });
    }
    Ok(options)
}

/// The id of a record of a small list that is named by id, name or code.
async fn find(host: &Host, tenant: &Tenant, table: &str, given: &str) -> anyhow::Result<Uuid> {
    let sql = format!(
        "SELECT id FROM {}.{table} WHERE id::text = $1 OR lower(jsonb->>'name') = lower($1) \
         OR jsonb->>'code' = $1 LIMIT 1",
        tenant.schema()
    );
    let rows = host.platform.store.database.query(&sql, &[&given]).await?;
    let kind = table.replace('_', " ");
    rows.first()
        .map(|row| row.get(0))
        .with_context(|| format!("tenant {} has no {kind} {given:?}", tenant.id()))
}

fn progress(size: Option<u64>) -> ProgressBar {
    let bar = size.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let template = "  {bar:30} {bytes:>10}/{total_bytes}  {elapsed}  {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
