//! The `workload` commands and the arguments of the small ones; doc comments are the help texts.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use octavo_figures::condition::Condition;

use super::hammer_arguments::HammerArgs;
use super::help;
use super::run_arguments::RunArgs;
use super::target::AgainstArgs;

/// Measure a FOLIO server: this one or any other.
#[derive(Debug, Subcommand)]
pub enum WorkloadCommand {
    /// Run a workload with virtual users and report response times
    #[command(after_long_help = help::RUN)]
    Run(Box<RunArgs>),
    /// Send one request repeatedly, as fast as the server answers
    #[command(after_long_help = help::HAMMER)]
    Hammer(Box<HammerArgs>),
    /// Make a draft workload from a JMeter plan or a browser's recording
    #[command(after_long_help = octavo_drafts::cli::HELP)]
    Draft(octavo_drafts::cli::DraftArgs),
    /// Compare a run with others, or with FOLIO's published figures
    #[command(after_long_help = help::COMPARE)]
    Compare(CompareArgs),
    /// Merge the results of generators that ran at the same time into one run
    #[command(after_long_help = help::MERGE)]
    Merge(MergeArgs),
    /// Write the report of a run again
    Report(ReportArgs),
    /// Show how a workload's times change over the runs of a history folder
    Trends(TrendsArgs),
    /// List the built-in workloads, and how much of each a server supports
    List {
        /// The server to ask
        #[command(flatten)]
        server: AgainstArgs,
    },
    /// Print a built-in workload, to read it or to start one's own from it
    Show {
        /// The workload's name
        workload: String,
    },
    /// Check a workload without running it: what it does, and possible mistakes in it
    Check {
        /// A path to a .toml file, or a built-in workload's name
        workload: String,
        /// The server to ask
        #[command(flatten)]
        server: AgainstArgs,
    },
}

#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Report folders or JSON files of runs, the earliest first; one alone with --baseline
    #[arg(required = true, num_args = 1..=12, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// A release of FOLIO whose published figures are the earlier run, for instance nolana
    #[arg(long, value_name = "RELEASE")]
    pub baseline: Option<String>,
    /// Exit with status 3 when this is true of the last run: 'check-out p95 > 1.05x baseline'
    #[arg(long, value_name = "CONDITION")]
    pub fail_if: Vec<Condition>,
    /// Also write the comparison as an HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Report folders or JSON files of the generators' runs
    #[arg(required = true, num_args = 2..=256, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// The folder for the report of the whole
    #[arg(long, value_name = "FOLDER")]
    pub report: PathBuf,
}

#[derive(Debug, Args)]
pub struct ReportArgs {
    /// A report folder or a JSON file; the report is written beside it
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Earlier runs to compare with, in the same report
    #[arg(long, value_name = "RUN")]
    pub compare_with: Vec<PathBuf>,
    /// A release of FOLIO whose published figures to compare with
    #[arg(long, value_name = "RELEASE")]
    pub baseline: Option<String>,
}

#[derive(Debug, Args)]
pub struct TrendsArgs {
    /// The folder that `run --history` writes to
    #[arg(value_name = "FOLDER")]
    pub history: PathBuf,
    /// Also write the trends as an HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}
