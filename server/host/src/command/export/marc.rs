//! `octavo export marc`: a tenant's instances as a file of MARC 21 records.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use octavo_data_export::app::Failure;
use octavo_data_export::app::export::{Deleted, ExportOptions, Exporter};
use octavo_data_export::marc::{Form, Format, footer, header};
use octavo_data_export::rules::{Profile, Takes, embedded, instance_rules};
use octavo_data_export::store::records::ExportedKind;
use octavo_records::Tenant;
use octavo_records::plan::Predicate;

use crate::command::tenant::{command_options, require};
use crate::database::Host;
use crate::database_args::DatabaseArgs;

/// The most records that are named when they could not be written; --errors has all of them.
const NAMED_MAX: usize = 20;

/// Which records, and how they are written.
#[derive(Debug, Args)]
pub struct MarcArgs {
    /// Only instances that match this CQL, as in /instance-storage/instances; its order has no
    /// effect
    #[arg(long, value_name = "CQL")]
    query: Option<String>,
    /// The tenant
    #[arg(long, default_value = "diku")]
    tenant: String,
    /// The file; - for standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// ISO 2709, MARCXML, or MARC in JSON with one record a line
    #[arg(long, value_enum, default_value_t = FormatArg::Iso2709)]
    format: FormatArg,
    /// As loaded, or as the catalogue has them
    #[arg(long, value_enum, default_value_t = FormArg::Loaded)]
    form: FormArg,
    /// Add a field 852 for each of the holdings, and 866 to 868 for their statements
    #[arg(long)]
    holdings: bool,
    /// Add a field 876 for each item, with the HRID of its holdings in $3
    #[arg(long)]
    items: bool,
    /// Records that are marked for deletion
    #[arg(long, value_enum, default_value_t = MarkedRecords::Include)]
    deleted: MarkedRecords,
    /// Instances that are hidden from discovery
    #[arg(long, value_enum, default_value_t = MarkedRecords::Include)]
    suppressed: MarkedRecords,
    /// Write id and reason of each record that was left out to this file, one a line
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FormatArg {
    Iso2709,
    Xml,
    Json,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FormArg {
    Loaded,
    Catalogue,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum MarkedRecords {
    Include,
    Exclude,
    Only,
}

/// Writes the file.
///
/// # Errors
/// A message with the remedy.
pub(super) async fn run(args: MarcArgs) -> anyhow::Result<ExitCode> {
    let tenant = Tenant::new(&args.tenant)?;
    let mut output = open(&args.output)?;
    let mut errors = match &args.errors {
        Some(path) => Some(create(path)?),
        None => None,
    };
    let host = Host::open(&args.database, command_options()).await?;
    require(&host, &tenant).await?;
    let predicate = predicate(&host, &tenant, &args)?;
    let database = &host.platform.store.database;
    let exporter = Exporter::open(database, &tenant, wanted(&args)).await?;
    let bar = progress();
    let started = Instant::now();
    let outcome = write(
        &args,
        exporter,
        predicate,
        &mut output,
        &bar,
        errors.as_mut(),
    )
    .await;
    bar.finish_and_clear();
    let (exported, failures, left_out) = match outcome {
        Err(error) if is_broken_pipe(&error) => {
            // The reader has closed the pipe.
            host.close().await;
            return Ok(ExitCode::SUCCESS);
        }
        outcome => outcome?,
    };
    let seconds = started.elapsed().as_secs_f64();
    host.close().await;
    eprintln!("{exported:>10} records written in {seconds:.1} s");
    if left_out > 0 {
        eprintln!("{left_out:>10} left out:");
        for failure in &failures {
            eprintln!("  {}: {}", failure.id, failure.reason);
        }
        if left_out > failures.len() as u64 {
            eprintln!("  and others; --errors FILE names all of them");
        }
    }
    Ok(match left_out {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

async fn write(
    args: &MarcArgs,
    exporter: Exporter,
    predicate: Predicate,
    output: &mut dyn Write,
    bar: &ProgressBar,
    mut errors: Option<&mut BufWriter<File>>,
) -> anyhow::Result<(u64, Vec<Failure>, u64)> {
    let format = args.format.into();
    let cannot = || format!("{} cannot be written", args.output.display());
    output.write_all(header(format)).with_context(cannot)?;
    let (mut exported, mut left_out, mut named) = (0, 0, Vec::new());
    let mut walk = exporter.walk(predicate);
    while let Some(made) = walk.next().await? {
        output.write_all(&made.bytes).with_context(cannot)?;
        exported += made.exported;
        for failure in made.failures {
            left_out += 1;
            if let Some(file) = errors.as_deref_mut() {
                writeln!(file, "{}\t{}", failure.id, failure.reason)?;
            }
            if named.len() < NAMED_MAX {
                named.push(failure);
            }
        }
        bar.set_position(exported);
    }
    output.write_all(footer(format)).with_context(cannot)?;
    output.flush().with_context(cannot)?;
    if let Some(file) = errors {
        file.flush()?;
    }
    Ok((exported, named, left_out))
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    })
}

fn wanted(args: &MarcArgs) -> ExportOptions {
    let beside = embedded(args.holdings, args.items);
    let mut whole = instance_rules().to_vec();
    whole.extend(beside.clone());
    ExportOptions {
        kind: ExportedKind::Instance,
        form: match args.form {
            FormArg::Loaded => Form::Loaded,
            FormArg::Catalogue => Form::Catalogue,
        },
        format: args.format.into(),
        profile: Profile {
            takes: Takes {
                marc: true,
                holdings: args.holdings || args.items,
                items: args.items,
                instance: true,
            },
            beside,
            whole,
            ..Profile::default()
        },
        // The query selects them, so records that are left out are not a failure.
        deleted: Deleted::Either,
    }
}

/// The condition for the selected instances.
fn predicate(host: &Host, tenant: &Tenant, args: &MarcArgs) -> anyhow::Result<Predicate> {
    let store = &host.platform.store;
    let collection = store
        .catalog
        .get("instance")
        .context("this program has no instances")?;
    let plan = |query: &str| store.plan(tenant, collection, Some(query));
    let mut predicate = match &args.query {
        None => Predicate::Everything,
        Some(query) => {
            let plan = plan(query).context("the query cannot be carried out")?;
            anyhow::ensure!(
                plan.sort.is_empty(),
                "records leave in the order of their HRIDs: leave sortBy out of the query"
            );
            plan.predicate
        }
    };
    for (which, mark) in [
        (args.deleted, "deleted==true"),
        (args.suppressed, "discoverySuppress==true"),
    ] {
        let marked = plan(mark)?.predicate;
        predicate = match which {
            MarkedRecords::Include => predicate,
            MarkedRecords::Exclude => Predicate::Except(Box::new(predicate), Box::new(marked)),
            MarkedRecords::Only => Predicate::All(vec![predicate, marked]),
        };
    }
    Ok(predicate)
}

fn open(path: &Path) -> anyhow::Result<Box<dyn Write + Send>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(BufWriter::with_capacity(1 << 20, stdout())));
    }
    Ok(Box::new(create(path)?))
}

fn create(path: &Path) -> anyhow::Result<BufWriter<File>> {
    let file =
        File::create(path).with_context(|| format!("{} cannot be created", path.display()))?;
    Ok(BufWriter::with_capacity(1 << 20, file))
}

fn progress() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("  {human_pos} records  {elapsed}  {per_sec}") {
        bar.set_style(style);
    }
    bar
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Format {
        match format {
            FormatArg::Iso2709 => Format::Iso2709,
            FormatArg::Xml => Format::Xml,
            FormatArg::Json => Format::Json,
        }
    }
}
