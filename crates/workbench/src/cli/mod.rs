//! The `workload` commands of the command line: their arguments, their help, their exit status.

mod arguments;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use octavo_figures::baseline;
use octavo_figures::compare::{Measured, of_runs, with_baseline};
use octavo_figures::run::Run;
use serde::Serialize;

use crate::drive::{self, ProgressStyle};
use crate::hammer::{self, HammerError};
use crate::workload::{self, BUILT_IN};

pub use arguments::{CompareArgs, HammerArgs, RunArgs, TargetArgs, ThinkTime, WorkloadCommand};

/// Nothing failed.
const CLEAN: u8 = 0;
/// The run took place, and requests failed.
const WITH_ERRORS: u8 = 1;
/// The run could not take place as asked for.
const UNUSABLE: u8 = 2;

/// Runs a command. Must be called outside any async runtime, because it makes its own.
///
/// The exit status is 0 when no request failed, 1 when some did, and 2 when the run could not begin:
/// the reason and its remedy then stand on standard error.
///
/// # Errors
/// When results could not be written.
pub fn run(command: WorkloadCommand) -> anyhow::Result<ExitCode> {
    let status = match command {
        WorkloadCommand::Run(arguments) => run_workload(&arguments)?,
        WorkloadCommand::Hammer(arguments) => run_hammer(&arguments)?,
        WorkloadCommand::Compare(arguments) => compare(&arguments)?,
        WorkloadCommand::List => list()?,
        WorkloadCommand::Show { workload } => show(&workload)?,
        WorkloadCommand::Check { workload } => check(&workload)?,
    };
    Ok(ExitCode::from(status))
}

fn unusable(error: &dyn std::fmt::Display) -> u8 {
    eprintln!("error: {error}");
    UNUSABLE
}

fn run_workload(arguments: &RunArgs) -> anyhow::Result<u8> {
    let workload = match workload::load(&arguments.workload) {
        Ok(workload) => workload,
        Err(error) => return Ok(unusable(&error)),
    };
    let json_to_stdout = is_stdout(arguments.json.as_deref());
    let progress = match std::io::stdout().is_terminal() && !json_to_stdout {
        true => ProgressStyle::Terminal,
        false => ProgressStyle::Lines,
    };
    let summary = match drive::run(arguments.options(workload, progress)) {
        Ok(summary) => summary,
        Err(error) => return Ok(unusable(&error)),
    };
    if !json_to_stdout {
        print(&octavo_report::table(&summary))?;
    }
    write_json(arguments.json.as_deref(), &summary)?;
    Ok(if summary.totals.errors == 0 {
        CLEAN
    } else {
        WITH_ERRORS
    })
}

fn run_hammer(arguments: &HammerArgs) -> anyhow::Result<u8> {
    let summary = match hammer::hammer(&arguments.options()) {
        Ok(summary) => summary,
        Err(error @ HammerError::WorkerDied) => return Err(error.into()),
        Err(error) => return Ok(unusable(&error)),
    };
    if !is_stdout(arguments.json.as_deref()) {
        print(&hammer::table(&summary))?;
    }
    write_json(arguments.json.as_deref(), &summary)?;
    Ok(if summary.errors == 0 {
        CLEAN
    } else {
        WITH_ERRORS
    })
}

fn compare(arguments: &CompareArgs) -> anyhow::Result<u8> {
    match compared(arguments) {
        Ok(text) => print(&text).map(|()| CLEAN),
        Err(error) => Ok(unusable(&error)),
    }
}

fn compared(arguments: &CompareArgs) -> Result<String, String> {
    let read = |file: &PathBuf| -> Result<Measured, String> {
        let shown = file.display();
        let text = std::fs::read_to_string(file);
        let text = text.map_err(|error| format!("{shown} cannot be read: {error}"))?;
        let run: Run = serde_json::from_str(&text)
            .map_err(|error| format!("{shown} is no summary of `workload run --json`: {error}"))?;
        Ok(Measured::from(&run))
    };
    let runs: Vec<Measured> = arguments.runs.iter().map(read).collect::<Result<_, _>>()?;
    let users = |run: &Measured| run.virtual_users.unwrap_or(0);
    let (changes, before, after) = match (&runs[..], &arguments.baseline) {
        ([run], Some(release)) => {
            let workload = run.workload.as_deref().unwrap_or("");
            let (nearest, published) = baseline::baseline(workload, release, users(run))?;
            let name = published
                .first()
                .map_or(release.as_str(), |one| one.release);
            (
                with_baseline(&published, run),
                format!("{name}, {nearest} users"),
                format!("this run, {} users", users(run)),
            )
        }
        ([before, after], None) if before.workload == after.workload => (
            of_runs(before, after),
            format!("before, {} users", users(before)),
            format!("after, {} users", users(after)),
        ),
        ([before, after], None) => {
            return Err(format!(
                "these are runs of different workloads: {} and {}",
                before.workload.as_deref().unwrap_or("?"),
                after.workload.as_deref().unwrap_or("?")
            ));
        }
        _ => return Err("give one run and --baseline, or two runs".to_owned()),
    };
    match changes.is_empty() {
        true => Err("both have no figure in common".to_owned()),
        false => Ok(octavo_report::comparison(
            &changes,
            &before,
            &after,
            std::io::stdout().is_terminal(),
        )),
    }
}

fn list() -> anyhow::Result<u8> {
    let mut text = String::new();
    for built_in in BUILT_IN {
        let workload = workload::parse(built_in.name, built_in.text)?;
        text.push_str(&format!("{:20} {}\n", workload.name, workload.title));
    }
    print(&text)?;
    Ok(CLEAN)
}

fn show(name: &str) -> anyhow::Result<u8> {
    match BUILT_IN.iter().find(|one| one.name == name) {
        Some(built_in) => print(built_in.text).map(|()| CLEAN),
        None => Ok(unusable(&format!("there is no built-in workload `{name}`"))),
    }
}

fn check(name: &str) -> anyhow::Result<u8> {
    match workload::load(name) {
        Err(error) => Ok(unusable(&error)),
        Ok(workload) => {
            let mut text = format!(
                "{}: {}\n{}\n",
                workload.name,
                workload.title,
                workload.description.trim()
            );
            for transaction in &workload.transactions {
                let count = transaction.requests.len();
                text.push_str(&format!("  {}: {count} requests\n", transaction.name));
            }
            print(&text)?;
            Ok(CLEAN)
        }
    }
}

/// Prints to standard output; a reader that has gone away is no error.
fn print(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

fn is_stdout(file: Option<&Path>) -> bool {
    file == Some(Path::new("-"))
}

fn write_json(file: Option<&Path>, summary: &impl Serialize) -> anyhow::Result<()> {
    let Some(file) = file else { return Ok(()) };
    let text = serde_json::to_string_pretty(summary)? + "\n";
    if is_stdout(Some(file)) {
        return print(&text);
    }
    std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
