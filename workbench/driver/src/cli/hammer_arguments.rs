//! The arguments of `workload hammer`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use octavo_client::Limits;

use super::run_arguments::new_seed;
use super::target::TargetArgs;
use crate::duration;
use crate::hammer::HammerOptions;

#[derive(Debug, Args)]
pub struct HammerArgs {
    /// The server and the login
    #[command(flatten)]
    pub target: TargetArgs,
    /// Encoded path and query; ${column} takes a value of the feeder's row
    #[arg(long, value_name = "PATH")]
    pub path_template: String,
    /// GET, POST, …; by default POST with a body and GET without one
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// A file with the JSON body; ${column} takes a value of the feeder's row, ${uuid()} a new one
    #[arg(long, value_name = "FILE")]
    pub body_template: Option<PathBuf>,
    /// A CSV file with a header line
    #[arg(long, value_name = "CSV")]
    pub feeder: Option<PathBuf>,
    /// Take each row of the feeder once, in order, instead of random rows repeatedly
    #[arg(long, requires = "feeder")]
    pub rows_once: bool,
    /// Connections, each with one request at a time
    #[arg(long, short = 'n', default_value = "8", value_name = "N")]
    pub connections: NonZeroUsize,
    /// Length of the run
    #[arg(long, default_value = "10s", value_parser = duration::parse, value_name = "TIME")]
    pub duration: Duration,
    /// Threads of the driver; one can send some ten thousand requests a second
    #[arg(long, default_value = "1", value_name = "N")]
    pub threads: NonZeroUsize,
    /// Text that every response must contain
    #[arg(long, value_name = "TEXT")]
    pub body_contains: Option<String>,
    /// Repeat the choice of rows of an earlier run
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Write the figures as JSON; without a file (or with -) to standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
}

impl HammerArgs {
    pub(super) fn options(&self) -> HammerOptions {
        HammerOptions {
            target: self.target.target(),
            path_template: self.path_template.clone(),
            method: self.method.clone(),
            body_template: self.body_template.clone(),
            feeder: self.feeder.clone(),
            rows_once: self.rows_once,
            connections: self.connections.get(),
            duration: self.duration,
            threads: self.threads.get(),
            body_contains: self.body_contains.clone(),
            seed: self.seed.unwrap_or_else(new_seed),
            limits: Limits::default(),
        }
    }
}
