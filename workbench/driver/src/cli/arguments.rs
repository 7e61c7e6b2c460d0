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
    /// Ask one thing again and again, as fast as the server answers
    #[command(after_long_help = help::HAMMER)]
    Hammer(Box<HammerArgs>),
    /// Make a draft workload of a JMeter plan or of a browser's recording
    #[command(after_long_help = octavo_drafts::cli::HELP)]
    Draft(octavo_drafts::cli::DraftArgs),
    /// Lay a run beside others, or beside what FOLIO published
    #[command(after_long_help = help::COMPARE)]
    Compare(CompareArgs),
    /// Make one run of what several generators measured at the same time
    #[command(after_long_help = help::MERGE)]
    Merge(MergeArgs),
    /// Write the report of a run anew
    Report(ReportArgs),
    /// Tell how a workload's times change over the runs of a history folder
    Trends(TrendsArgs),
    /// List the built-in workloads, and how much of each a server offers
    List {
        /// The server to ask
        #[command(flatten)]
        server: AgainstArgs,
    },
    /// Print a built-in workload, to read it or to begin one's own with it
    Show {
        /// The workload's name
        workload: String,
    },
    /// Check a workload without running it: what it does, and what in it looks like a mistake
    Check {
        /// A path to a .toml file, or a built-in workload's name
        workload: String,
        /// The server to ask
        #[command(flatten)]
        server: AgainstArgs,
    },
}

/// Arguments of `workload compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Report folders or JSON files of runs, the earliest first; one alone with --baseline
    #[arg(required = true, num_args = 1..=12, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// A release of FOLIO whose published figures are the earlier run, for instance nolana
    #[arg(long, value_name = "RELEASE")]
    pub baseline: Option<String>,
    /// End with status 3 when this is true of the last run: 'check-out p95 > 1.05x baseline'
    #[arg(long, value_name = "CONDITION")]
    pub fail_if: Vec<Condition>,
    /// Write the comparison as a page, too
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// Arguments of `workload merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Report folders or JSON files of the generators' runs
    #[arg(required = true, num_args = 2..=256, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Where the report of the whole is written
    #[arg(long, value_name = "FOLDER")]
    pub report: PathBuf,
}

/// Arguments of `workload report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// A report folder or a JSON file; the report is written beside it
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Earlier runs to be compared with, in the same report
    #[arg(long, value_name = "RUN")]
    pub compare_with: Vec<PathBuf>,
    /// A release of FOLIO whose published figures are compared with
    #[arg(long, value_name = "RELEASE")]
    pub baseline: Option<String>,
}

/// Arguments of `workload trends`.
#[derive(Debug, Args)]
pub struct TrendsArgs {
    /// The folder that `run --history` writes into
    #[arg(value_name = "FOLDER")]
    pub history: PathBuf,
    /// Write the trends as a page, too
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}
