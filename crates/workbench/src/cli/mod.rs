//! The `workload` commands of the command line: their arguments, their help, their exit status.

mod arguments;
mod known;
mod look;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;

use crate::drive::{self, ProgressStyle};
use crate::hammer::{self, HammerError};
use crate::report::{self, Measured};
use crate::workload;

pub use arguments::{
    AgainstArgs, CompareArgs, HammerArgs, LoginArgs, RunArgs, TargetArgs, ThinkTime,
    WorkloadCommand,
};

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
        WorkloadCommand::List { server } => told(look::list(server.target().as_ref()))?,
        WorkloadCommand::Show { workload } => told(look::show(&workload))?,
        WorkloadCommand::Check { workload, server } => {
            told(look::check(&workload, server.target().as_ref()))?
        }
    };
    Ok(ExitCode::from(status))
}

fn unusable(error: &dyn std::fmt::Display) -> u8 {
    eprintln!("error: {error}");
    UNUSABLE
}

fn run_workload(arguments: &RunArgs) -> anyhow::Result<u8> {
    let workload = match workload::load_branches(&arguments.workload, &arguments.only) {
        Ok(workload) => workload,
        Err(error) => return Ok(unusable(&error)),
    };
    if let (Some(users), Some(_)) = (workload.grouped_users(), arguments.virtual_users) {
        return Ok(unusable(&format!(
            "{name} says itself how many virtual users each of its groups has ({users} in all); leave \
             out --virtual-users, or change the groups in a copy (octavo workload show {name})",
            name = workload.name
        )));
    }
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
        print(&report::table(&summary))?;
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
    told(compared(arguments))
}

fn compared(arguments: &CompareArgs) -> Result<String, String> {
    let read = |file: &PathBuf| -> Result<Measured, String> {
        let shown = file.display();
        let text = std::fs::read_to_string(file);
        let text = text.map_err(|error| format!("{shown} cannot be read: {error}"))?;
        serde_json::from_str(&text)
            .map_err(|error| format!("{shown} is no summary of `workload run --json`: {error}"))
    };
    let runs: Vec<Measured> = arguments.runs.iter().map(read).collect::<Result<_, _>>()?;
    let (changes, before, after) = match (&runs[..], &arguments.baseline) {
        ([run], Some(release)) => {
            let (users, published) = report::baseline(&run.workload, release, run.virtual_users)?;
            let name = published
                .first()
                .map_or(release.as_str(), |one| one.release);
            (
                report::with_baseline(&published, run),
                format!("{name}, {users} users"),
                format!("this run, {} users", run.virtual_users),
            )
        }
        ([before, after], None) if before.workload == after.workload => (
            report::of_runs(before, after),
            format!("before, {} users", before.virtual_users),
            format!("after, {} users", after.virtual_users),
        ),
        ([before, after], None) => {
            return Err(format!(
                "these are runs of different workloads: {} and {}",
                before.workload, after.workload
            ));
        }
        _ => return Err("give one run and --baseline, or two runs".to_owned()),
    };
    match changes.is_empty() {
        true => Err("both have no figure in common".to_owned()),
        false => Ok(report::comparison(&changes, &before, &after)),
    }
}

/// Prints what a command has to tell, or why it cannot.
fn told(result: Result<String, String>) -> anyhow::Result<u8> {
    match result {
        Ok(text) => print(&text).map(|()| CLEAN),
        Err(error) => Ok(unusable(&error)),
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
