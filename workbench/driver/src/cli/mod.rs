//! The `workload` commands of the command line: their arguments, their help, their exit status.

mod arguments;
mod compare;
mod folder;
mod foreign;
mod generators;
mod hammer_arguments;
mod help;
mod known;
mod look;
mod probing;
mod run;
mod run_arguments;
mod target;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use octavo_figures::compare::Measured;
use octavo_figures::run::Run;
use serde::Serialize;

use crate::hammer::{self, HammerError};

pub use arguments::{CompareArgs, MergeArgs, ReportArgs, TrendsArgs, WorkloadCommand};
pub use hammer_arguments::HammerArgs;
pub use run_arguments::{RunArgs, ThinkTime};
pub use target::{AgainstArgs, LoginArgs, TargetArgs};

/// Exit status: nothing failed.
const CLEAN: u8 = 0;
/// Exit status: the run took place, and requests failed.
const WITH_ERRORS: u8 = 1;
/// Exit status: the run could not take place.
const UNUSABLE: u8 = 2;
/// Exit status: a condition of `--fail-if` came true.
const FAILED: u8 = 3;

/// Runs a command. Must be called outside of async runtimes, because it creates its own.
///
/// The exit status is 0 when no request failed, 1 when some did, 2 when the run could not begin
/// (the reason and its remedy are then on standard error), and 3 when a condition of `--fail-if`
/// came true.
///
/// # Errors
/// When results could not be written.
pub fn run(command: WorkloadCommand) -> anyhow::Result<ExitCode> {
    let status = match command {
        WorkloadCommand::Run(arguments) => run::run(&arguments)?,
        WorkloadCommand::Hammer(arguments) => run_hammer(&arguments)?,
        WorkloadCommand::Draft(arguments) => octavo_drafts::cli::run(&arguments)?,
        WorkloadCommand::Compare(arguments) => exit_status(compare::compare(&arguments)),
        WorkloadCommand::Merge(arguments) => exit_status(merge(&arguments)),
        WorkloadCommand::Report(arguments) => exit_status(report(&arguments)),
        WorkloadCommand::Trends(arguments) => exit_status(trends(&arguments)),
        WorkloadCommand::List { server } => shown(look::list(server.target().as_ref()))?,
        WorkloadCommand::Show { workload } => shown(look::show(&workload))?,
        WorkloadCommand::Check { workload, server } => {
            shown(look::check(&workload, server.target().as_ref()))?
        }
    };
    Ok(ExitCode::from(status))
}

fn unusable(error: &dyn std::fmt::Display) -> u8 {
    eprintln!("error: {error}");
    UNUSABLE
}

/// The exit status of a command on completed runs: from the conditions that came true, or its
/// error.
fn exit_status(outcome: anyhow::Result<Vec<String>>) -> u8 {
    match outcome {
        Err(error) => unusable(&format!("{error:#}")),
        Ok(broken) => {
            for one in &broken {
                eprintln!("failed: {one}");
            }
            if broken.is_empty() { CLEAN } else { FAILED }
        }
    }
}

fn merge(arguments: &MergeArgs) -> anyhow::Result<Vec<String>> {
    let whole = Run::merged(folder::read_runs(&arguments.runs)?)?;
    print(&octavo_report::table(&whole))?;
    let folder = folder::Folder::create(&arguments.report)?;
    run::write_report(&folder, &whole, &[], None)?;
    Ok(Vec::new())
}

fn report(arguments: &ReportArgs) -> anyhow::Result<Vec<String>> {
    let run = folder::read_run(&arguments.run)?;
    let folder = match arguments.run.is_dir() {
        true => arguments.run.as_path(),
        false => arguments.run.parent().unwrap_or(Path::new(".")),
    };
    let earlier = folder::read_runs(&arguments.compare_with)?;
    let release = arguments.baseline.as_ref();
    let baseline = release.map(|release| compare::published(release, &Measured::from(&run)));
    let folder = folder::Folder::open(folder);
    run::write_report(&folder, &run, &earlier, baseline.transpose()?)?;
    print(&format!("The report is in {}.\n", folder.path().display()))?;
    Ok(Vec::new())
}

fn trends(arguments: &TrendsArgs) -> anyhow::Result<Vec<String>> {
    let runs = compare::history(&arguments.history)?;
    print(&octavo_report::markdown_trends(&runs))?;
    if let Some(file) = &arguments.html {
        folder::replace(file, &octavo_report::html_trends(&runs))?;
    }
    Ok(Vec::new())
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

/// Prints the output of a command, or its error.
fn shown(result: Result<String, String>) -> anyhow::Result<u8> {
    match result {
        Ok(text) => print(&text).map(|()| CLEAN),
        Err(error) => Ok(unusable(&error)),
    }
}

/// Prints to standard output; a closed pipe is not an error.
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
