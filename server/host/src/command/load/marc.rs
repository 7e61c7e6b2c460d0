//! `octavo load marc`: loads a file of MARC 21 records.

use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use octavo_cataloging::bulk::{HoldingsOptions, ItemOptions};
use octavo_data_import::load::{
    Derived, Input, LoadError, LoadEvent, LoadOptions, Loaded, Match, Progress, fingerprint, load,
};
use octavo_mapping::RecordKind;
use octavo_records::Context;
use octavo_records::{Stamp, Tenant};
use uuid::Uuid;

use super::index_phase::IndexPhase;
use super::problems::Problems;
use super::record_count::RecordCount;
use crate::command::tenant::command_options;
use crate::command::tenant::require;
use crate::database::Host;
use crate::database_args::DatabaseArgs;

/// What is loaded, and which records are made of it.
#[derive(Debug, Args)]
pub struct MarcArgs {
    /// The file; - for standard input, which cannot be resumed
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
    /// Skip records that exist already (or update them, with --update), by hrid (001), 001 (as
    /// loaded), 035a, or another identifier such as 020.a; without it all records are new
    #[arg(long = "match", value_name = "FIELD")]
    matching: Option<Match>,
    /// Update existing records, by the tenant's mapping rules; protected fields stay
    #[arg(long, requires = "matching")]
    update: bool,
    /// The only kind of record to load
    #[arg(long = "type", value_enum, default_value_t = RecordKindArg::Auto)]
    kind: RecordKindArg,
    /// Load the file even if it was loaded before
    #[arg(long)]
    again: bool,
    /// Write a line for each rejected record to this file: position, byte offset, 001, reason
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    /// Write the rejected records unchanged to this file, to correct and load them
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,
    /// Records stored in one transaction
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    batch: u16,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Kinds of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RecordKindArg {
    /// As each record says
    Auto,
    Bib,
    Holdings,
    Authority,
}

/// The input and its options.
struct Source {
    input: Box<dyn BufRead + Send>,
    size: Option<u64>,
    fingerprint: Option<String>,
    /// About how many records it has.
    records: Option<u64>,
}

/// Loads the file.
///
/// # Errors
/// A message with the remedy.
pub(super) async fn run(args: MarcArgs) -> anyhow::Result<ExitCode> {
    let tenant = Tenant::new(&args.tenant)?;
    let source = open(&args)?;
    let mut problems = Problems::open(args.errors.as_deref(), args.rejects.as_deref())?;
    let host = Host::open(&args.database, command_options()).await?;
    require(&host, &tenant).await?;
    let mut options = options(&host, &tenant, &args, source.fingerprint).await?;
    options.expected_records = source.records;
    let store = &host.platform.store;
    let context = Context {
        store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    let input = Input::open(source.input)
        .with_context(|| format!("{} cannot be read", args.file.display()))?;
    let bar = progress(source.size);
    let started = Instant::now();
    let mut from = Progress::default();
    let mut indexes = IndexPhase::default();
    let outcome = load(&context, input, &options, &mut |event| match event {
        LoadEvent::Begun(progress) => {
            from = progress;
            if progress.position > 0 {
                bar.suspend(|| eprintln!("  going on at record {}", progress.position + 1));
            }
        }
        LoadEvent::Progress(so_far) => show_progress(&bar, &from, &so_far, started),
        LoadEvent::Problem(problem) => bar.suspend(|| problems.add(&problem, true)),
        LoadEvent::EarlierProblem(problem) => problems.add(&problem, false),
        LoadEvent::IndexesAside(count) => indexes.dropped(&bar, count),
        LoadEvent::Index(news) => indexes.progress(&bar, &news),
        LoadEvent::IndexesBuilt {
            built,
            failed,
            elapsed,
        } => indexes.finished(built, failed, elapsed),
    })
    .await;
    bar.finish_and_clear();
    problems.finish()?;
    host.close().await;
    match outcome {
        Ok(Loaded::Complete(progress)) => {
            report(&progress, &from, &indexes, started.elapsed().as_secs_f64());
            let stored = progress.created + progress.updated + progress.matched;
            let none = stored == 0 && progress.problems > 0;
            Ok(if none {
                ExitCode::FAILURE
            } else {
                ExitCode::SUCCESS
            })
        }
        Ok(Loaded::Before {
            progress,
            finished_at,
        }) => {
            println!(
                "nothing to do: this file was loaded as job {} until {finished_at}, {} instances; \
                 --again loads it once more",
                progress.job_id, progress.created
            );
            Ok(ExitCode::SUCCESS)
        }
        Err(LoadError::Elsewhere) => anyhow::bail!(
            "another process is loading this file into tenant {}",
            tenant.id()
        ),
        Err(error) => Err(anyhow::Error::new(error).context(
            "the load stopped; what was stored stays, and the same command continues after it",
        )),
    }
}

fn open(args: &MarcArgs) -> anyhow::Result<Source> {
    if args.file.as_os_str() == "-" {
        eprintln!(
            "  standard input cannot be identified: an interrupted load of it cannot be resumed"
        );
        return Ok(Source {
            input: Box::new(BufReader::new(stdin())),
            size: None,
            fingerprint: None,
            records: None,
        });
    }
    let failed = || format!("{} cannot be opened", args.file.display());
    let file = File::open(&args.file).with_context(failed)?;
    let size = file.metadata().ok().map(|metadata| metadata.len());
    let bar = progress(size);
    bar.set_message("looking whether it is known");
    let mut counted = RecordCount::of(file);
    let found = fingerprint(&mut counted, &wanted(args), |bytes| bar.inc(bytes));
    bar.finish_and_clear();
    let found = found.with_context(|| format!("{} cannot be read", args.file.display()))?;
    let file = File::open(&args.file).with_context(failed)?;
    Ok(Source {
        input: Box::new(BufReader::with_capacity(1 << 20, file)),
        size,
        fingerprint: Some(found),
        records: Some(counted.records()),
    })
}

/// The options that distinguish this load from another load of the same file.
fn wanted(args: &MarcArgs) -> String {
    let mut wanted = format!("{:?} records", args.kind);
    if let Some(by) = &args.matching {
        wanted = format!("{wanted}, matched by {by:?}");
    }
    if args.update {
        wanted = format!("{wanted}, updated");
    }
    if args.holdings || args.items {
        wanted = format!("{wanted}, holdings at {}", args.location);
    }
    if args.items {
        wanted = format!("{wanted}, items {} {}", args.material_type, args.loan_type);
    }
    wanted
}

fn show_progress(bar: &ProgressBar, from: &Progress, so_far: &Progress, started: Instant) {
    bar.set_position(so_far.bytes);
    let seconds = started.elapsed().as_secs_f64();
    let rate = (so_far.position - from.position) as f64 / seconds.max(0.001);
    bar.set_message(format!("{} records, {rate:.0}/s", so_far.position));
}

fn report(progress: &Progress, from: &Progress, indexes: &IndexPhase, seconds: f64) {
    println!("{:>10} records read", progress.position);
    println!(
        "{:>10} instances with their source records",
        progress.created
    );
    for (number, what) in [
        (progress.matched, "left alone: there already"),
        (progress.updated, "updated, or stored one by one"),
    ] {
        if number > 0 {
            println!("{number:>10} {what}");
        }
    }
    if progress.holdings > 0 {
        println!("{:>10} holdings", progress.holdings);
    }
    if progress.items > 0 {
        println!("{:>10} items", progress.items);
    }
    println!("{:>10} set aside", progress.problems);
    if from.position > 0 {
        println!("{:>10} of the records were done with before", from.position);
    }
    indexes.report();
    let rate = (progress.position - from.position) as f64 / seconds.max(0.001);
    println!(
        "loaded in {seconds:.1} s, {rate:.0} records/s, job {}",
        progress.job_id
    );
}

async fn options(
    host: &Host,
    tenant: &Tenant,
    args: &MarcArgs,
    fingerprint: Option<String>,
) -> anyhow::Result<LoadOptions> {
    let context = Context {
        store: &host.platform.store,
        tenant,
        stamp: Stamp::now(None),
    };
    let derived = Derived::read(&context).await?;
    let name = args.file.file_name().unwrap_or(args.file.as_os_str());
    let name = match name.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => name.to_string_lossy().into_owned(),
    };
    let bibs = derived.of_bibs();
    let mut options = LoadOptions::new(&name, bibs.rules, bibs.references);
    options.singly = Some(derived);
    options.update = args.update;
    options.fingerprint = fingerprint;
    options.again = args.again;
    options.batch_records = usize::from(args.batch);
    options.with_bytes = args.rejects.is_some();
    options.matching = args.matching.clone();
    options.kind = match args.kind {
        RecordKindArg::Auto => None,
        RecordKindArg::Bib => Some(RecordKind::Bib),
        RecordKindArg::Holdings => Some(RecordKind::Holdings),
        RecordKindArg::Authority => Some(RecordKind::Authority),
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

/// The id of a record in a short list, found by id, name or code.
async fn find(host: &Host, tenant: &Tenant, table: &str, given: &str) -> anyhow::Result<Uuid> {
    let sql = format!(
        "SELECT id FROM {}.{table} WHERE id::text = $1 OR lower(jsonb->>'name') = lower($1) \
         OR jsonb->>'code' = $1 LIMIT 1",
        tenant.schema()
    );
    let rows = host.platform.store.database.query(&sql, &[&given]).await?;
    let kind = table.replace('_', " ");
    rows.first()
        .map(|row| row.get("id"))
        .with_context(|| format!("tenant {} has no {kind} {given:?}", tenant.id()))
}

fn progress(size: Option<u64>) -> ProgressBar {
    let bar = size.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let template = match size {
        Some(_) => "  {bar:30} {bytes:>10}/{total_bytes}  {elapsed}, {eta} left  {msg}",
        None => "  {spinner} {bytes:>10}  {elapsed}  {msg}",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
