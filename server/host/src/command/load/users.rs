//! `octavo load users`: loads a file of another system's users, by the operation of `POST
//! /user-import`.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use octavo_records::{Stamp, Tenant, Violation};
use octavo_user_import::app::{BatchOutcome, Import, Included, Missing, Options};
use octavo_user_import::rules::document::{self, Unreadable};
use octavo_user_import::rules::mapping::{Failed, external_id};
use octavo_users::app::UserContext;
use serde_json::{Map, Value, json};

use super::user_problems::UserProblems;
use super::user_rows::Columns;
use crate::command::tenant::{command_options, require};
use crate::database::Host;
use crate::database_args::DatabaseArgs;

/// The largest JSON file, since it is read into memory.
const JSON_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// The input and the options of the load.
#[derive(Debug, Args)]
pub struct UsersArgs {
    /// The file; - for standard input
    file: PathBuf,
    /// The tenant
    #[arg(long, default_value = "diku")]
    tenant: String,
    /// The format of the file [default: by its name]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The separator of the columns of a CSV file; \t for a tabulator
    #[arg(long, value_name = "CHARACTER", default_value = ",", value_parser = delimiter)]
    delimiter: u8,
    /// The system that the users come from: each externalSystemId is prefixed by NAME_
    #[arg(long, value_name = "NAME")]
    source_type: Option<String>,
    /// Deactivate users of the same source who are not in the file, if all users in it could be
    /// stored
    #[arg(long)]
    deactivate_missing: bool,
    /// Keep properties of users that the file does not have
    #[arg(long)]
    update_only_present: bool,
    /// Write a line for each rejected user to this file: position, externalSystemId, username,
    /// reason
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    /// Users stored in one transaction
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    batch: u16,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Forms of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each user, after a line of column names
    Csv,
    /// The body of POST /user-import, or an array of its users
    Json,
}

fn delimiter(given: &str) -> Result<u8, String> {
    match given.as_bytes() {
        [one] if one.is_ascii() => Ok(*one),
        b"\\t" => Ok(b'\t'),
        _ => Err("one ASCII character is needed, or \\t".to_owned()),
    }
}

/// The result of a load.
#[derive(Debug, Default)]
struct Counts {
    read: u64,
    created: usize,
    updated: usize,
    failed: u64,
}

/// Loads the file.
///
/// # Errors
/// A message with the remedy.
pub(super) async fn run(args: UsersArgs) -> anyhow::Result<ExitCode> {
    let tenant = Tenant::new(&args.tenant)?;
    let format = args.format.map_or_else(|| by_name(&args.file), Ok)?;
    // Reports bad arguments before the database is opened.
    let opened = open(&args.file)?;
    let mut problems = UserProblems::open(args.errors.as_deref())?;
    let (mut users, options, included) = match format {
        Format::Csv => (
            Users::csv(opened.reader, args.delimiter)?,
            Options::default(),
            Included::default(),
        ),
        Format::Json => Users::json(opened.reader)?,
    };
    let options = Options {
        source_type: args.source_type.clone().or(options.source_type),
        deactivate_missing: args.deactivate_missing || options.deactivate_missing,
        only_present: args.update_only_present || options.only_present,
    };
    let host = Host::open(&args.database, command_options()).await?;
    require(&host, &tenant).await?;
    let bar = progress(opened.size);
    let started = Instant::now();
    let loading = Loading {
        host: &host,
        tenant: &tenant,
        batch: usize::from(args.batch),
        bar: &bar,
    };
    let loaded = loading
        .load(&mut users, &options, &included, &mut problems)
        .await;
    bar.finish_and_clear();
    problems.finish()?;
    host.close().await;
    let (counts, missing) = loaded.context(
        "the load stopped; what was stored stays, and the same command does the rest: users who are \
         there already are changed, not made twice",
    )?;
    report(&counts, missing.as_ref(), started.elapsed().as_secs_f64());
    Ok(match counts.failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// The state of a load.
struct Loading<'a> {
    host: &'a Host,
    tenant: &'a Tenant,
    batch: usize,
    bar: &'a ProgressBar,
}

/// What was done about users who are not in the file.
enum Others {
    /// They were deactivated.
    Done(Missing),
    /// Nothing, because some users in the file could not be stored.
    Spared,
}

impl Loading<'_> {
    async fn load(
        &self,
        users: &mut Users,
        options: &Options,
        included: &Included,
        problems: &mut UserProblems,
    ) -> anyhow::Result<(Counts, Option<Others>)> {
        let context = UserContext::new(&self.host.platform, self.tenant, Stamp::now(None));
        let begun = Import::begin(context, options.clone(), included, None).await;
        let mut import = begun.map_err(|fault| anyhow::anyhow!("{fault}"))?;
        let mut counts = Counts::default();
        let started = Instant::now();
        loop {
            let (mut some, mut first, mut set_aside) = (Vec::new(), Vec::new(), Vec::new());
            while some.len() < self.batch {
                let Some(next) = users.next() else { break };
                counts.read += 1;
                match next {
                    Ok(user) => {
                        let id = user["externalSystemId"].as_str().unwrap_or_default();
                        first.push((counts.read, external_id(options.source_type.as_deref(), id)));
                        some.push(user);
                    }
                    Err(failed) => set_aside.push((counts.read, failed)),
                }
            }
            let ended = some.len() < self.batch;
            let done: BatchOutcome = match some.is_empty() {
                true => BatchOutcome::default(),
                false => {
                    let added = import.add(some).await;
                    added.map_err(|fault| anyhow::anyhow!("{fault}"))?
                }
            };
            counts.created += done.created;
            counts.updated += done.updated;
            for failed in done.failed {
                let known = first.iter().find(|(_, id)| *id == failed.external_id);
                let position = known.map_or(counts.read, |(position, _)| *position);
                set_aside.push((position, failed));
            }
            set_aside.sort_by_key(|(position, _)| *position);
            for (position, failed) in set_aside {
                counts.failed += 1;
                self.bar.suspend(|| problems.add(position, &failed));
            }
            let rate = counts.read as f64 / started.elapsed().as_secs_f64().max(0.001);
            self.bar.set_position(users.position());
            self.bar
                .set_message(format!("{} users, {rate:.0}/s", counts.read));
            if ended {
                break;
            }
        }
        if !options.deactivate_missing {
            return Ok((counts, None));
        }
        if counts.failed > 0 {
            return Ok((counts, Some(Others::Spared)));
        }
        let missing = import.deactivate_missing().await;
        let missing = missing.map_err(|fault| anyhow::anyhow!("{fault}"))?;
        Ok((counts, Some(Others::Done(missing))))
    }
}

fn report(counts: &Counts, others: Option<&Others>, seconds: f64) {
    println!("{:>10} users read", counts.read);
    println!("{:>10} created", counts.created);
    println!("{:>10} changed", counts.updated);
    println!("{:>10} set aside", counts.failed);
    match others {
        None => {}
        Some(Others::Done(Missing::None)) => println!("{:>10} were not in the file", 0),
        Some(Others::Done(Missing::Deactivated(number))) => {
            println!("{number:>10} made inactive: they are not in the file");
        }
        Some(Others::Spared) => println!(
            "nobody was made inactive, because of those set aside: mend them, and load the file again"
        ),
    }
    let rate = counts.read as f64 / seconds.max(0.001);
    println!("loaded in {seconds:.1} s, {rate:.0} users/s");
}

fn by_name(file: &Path) -> anyhow::Result<Format> {
    let ending = file.extension().and_then(|ending| ending.to_str());
    match ending.map(str::to_lowercase).as_deref() {
        Some("csv" | "tsv" | "txt") => Ok(Format::Csv),
        Some("json") => Ok(Format::Json),
        _ => anyhow::bail!(
            "{} does not say by its name whether it is CSV or JSON; add --format csv or --format json",
            file.display()
        ),
    }
}

struct Opened {
    reader: Box<dyn Read + Send>,
    size: Option<u64>,
}

fn open(path: &Path) -> anyhow::Result<Opened> {
    if path.as_os_str() == "-" {
        return Ok(Opened {
            reader: Box::new(std::io::stdin()),
            size: None,
        });
    }
    let file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    let size = file.metadata().ok().map(|metadata| metadata.len());
    Ok(Opened {
        reader: Box::new(BufReader::with_capacity(1 << 20, file)),
        size,
    })
}

/// The users of a file, one after the other.
enum Users {
    Csv {
        reader: csv::Reader<Box<dyn Read + Send>>,
        columns: Columns,
        at: usize,
    },
    Json {
        users: std::vec::IntoIter<Value>,
        at: usize,
    },
}

impl Users {
    fn csv(reader: Box<dyn Read + Send>, delimiter: u8) -> anyhow::Result<Users> {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .from_reader(reader);
        let header = reader.headers().context("the first line cannot be read")?;
        let columns = Columns::of(header)?;
        Ok(Users::Csv {
            reader,
            columns,
            at: 0,
        })
    }

    fn json(reader: Box<dyn Read + Send>) -> anyhow::Result<(Users, Options, Included)> {
        let mut body = Vec::new();
        let read = reader.take(JSON_BYTES_MAX + 1).read_to_end(&mut body);
        if read.context("the file cannot be read")? as u64 > JSON_BYTES_MAX {
            anyhow::bail!("the file is larger than {JSON_BYTES_MAX} bytes; split it, or load CSV");
        }
        let mut whole: Value = serde_json::from_slice(&body).context("the file is not JSON")?;
        drop(body);
        let users = match &mut whole {
            Value::Array(users) => std::mem::take(users),
            Value::Object(import) => match import.get_mut("users").map(Value::take) {
                Some(Value::Array(users)) => users,
                _ => anyhow::bail!("the file has no array \"users\"; see docs/user-import.md"),
            },
            _ => {
                anyhow::bail!("the file is neither an object nor an array; see docs/user-import.md")
            }
        };
        let around = match whole {
            Value::Object(mut import) => {
                import.insert("users".to_owned(), json!([]));
                import.insert("totalRecords".to_owned(), json!(users.len()));
                Value::Object(import).to_string()
            }
            _ => r#"{"users": [], "totalRecords": 0}"#.to_owned(),
        };
        let sent = document::read(around.as_bytes()).map_err(|unreadable| match unreadable {
            Unreadable::Json(why) => anyhow::anyhow!(why),
            Unreadable::Invalid(violations) => anyhow::anyhow!(violations_text(&violations)),
        })?;
        let (options, included) = (sent.options, sent.included);
        let users = users.into_iter();
        Ok((Users::Json { users, at: 0 }, options, included))
    }

    /// The next user, or why it is invalid; `None` at the end.
    fn next(&mut self) -> Option<Result<Map<String, Value>, Failed>> {
        let (document, at) = match self {
            Users::Json { users, at } => {
                *at += 1;
                (Ok(users.next()?), *at - 1)
            }
            Users::Csv {
                reader,
                columns,
                at,
            } => {
                *at += 1;
                let mut row = csv::StringRecord::new();
                let document = match reader.read_record(&mut row) {
                    Ok(false) => return None,
                    Ok(true) => columns.user(&row),
                    Err(error) if error.is_io_error() => {
                        return self.broken(&error);
                    }
                    Err(error) => Err(error.to_string()),
                };
                (document, *at - 1)
            }
        };
        let failed = |document: Option<&Value>, message: String| Failed {
            external_id: named(document, "externalSystemId"),
            username: named(document, "username"),
            message,
        };
        Some(match document {
            Err(why) => Err(failed(None, why)),
            Ok(document) => {
                let copy = document.clone();
                document::check(document, at)
                    .map_err(|violations| failed(Some(&copy), violations_text(&violations)))
            }
        })
    }

    /// A malformed file is reported once and then ends.
    fn broken(&mut self, error: &csv::Error) -> Option<Result<Map<String, Value>, Failed>> {
        *self = Users::Json {
            users: Vec::new().into_iter(),
            at: 0,
        };
        Some(Err(Failed {
            external_id: String::new(),
            username: String::new(),
            message: format!("the file cannot be read on: {error}"),
        }))
    }

    /// The position in the file: in bytes, or for JSON, which is read whole, in users.
    fn position(&self) -> u64 {
        match self {
            Users::Csv { reader, .. } => reader.position().byte(),
            Users::Json { at, .. } => *at as u64,
        }
    }
}

fn named(document: Option<&Value>, name: &str) -> String {
    let text = document.and_then(|document| document[name].as_str());
    text.unwrap_or_default().to_owned()
}

fn violations_text(violations: &[Violation]) -> String {
    let each = violations.iter().map(|one| {
        let path = match one.path.split_once("].") {
            Some((_, path)) => path,
            None => &one.path,
        };
        format!("{path} {}", one.message)
    });
    each.collect::<Vec<_>>().join("; ")
}

fn progress(size: Option<u64>) -> ProgressBar {
    let bar = size.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let template = match size {
        Some(_) => "  {bar:30}  {elapsed}, {eta} left  {msg}",
        None => "  {spinner}  {elapsed}  {msg}",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
