//! The arguments of the `workload` commands; their doc comments are the help texts.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

use crate::drive::{ProgressStyle, Rate, RunOptions, Until};
use crate::duration;
use crate::hammer::HammerOptions;
use crate::http::{Limits, Trust};
use crate::session::Target;
use crate::workload::Workload;

/// Measure a FOLIO server: this one or any other.
#[derive(Debug, Subcommand)]
pub enum WorkloadCommand {
    /// Run a workload with virtual users and report response times
    #[command(after_long_help = RUN_HELP)]
    Run(Box<RunArgs>),
    /// Ask one thing again and again, as fast as the server answers
    #[command(after_long_help = HAMMER_HELP)]
    Hammer(Box<HammerArgs>),
    /// Lay a run beside an earlier one, or beside what FOLIO published
    #[command(after_long_help = COMPARE_HELP)]
    Compare(CompareArgs),
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

const RUN_HELP: &str = "\
Examples:
  The desk as FOLIO's own performance reports measure it: 8 users, with their pauses.
    octavo workload run check-in-check-out --virtual-users 8 --duration 30m
  How much the server can do: no pauses, more users, another server.
    octavo workload run check-in-check-out --think-time none --virtual-users 20 \\
        --url https://folio.example.org/okapi --tenant diku --user diku_admin --password secret
  With the test data files of a JMeter plan, and results for its report generator.
    octavo workload run check-in-check-out --items-available available.csv \\
        --items-checked-out checked_out.csv --users user_barcodes.csv \\
        --service-points service_point.csv --jtl results.jtl
  As many check-outs and check-ins as patrons bring, whether the server keeps up or not.
    octavo workload run check-in-check-out --open --rate 5..50 --warm-up 10s --duration 5m
  The highest rate that keeps a limit.
    octavo workload run check-in-check-out --open --rate 5..500 --until 'p95 > 200ms' --duration 5m
  A library's whole day, each workflow at its own rate; or some of its branches.
    octavo workload run mixed-day --duration 1h
    octavo workload run mixed-day --only check-in,check-out,view-bib
  A workload of one's own.
    octavo workload show check-in-check-out > mine.toml
    octavo workload check mine.toml && octavo workload run mine.toml

Each virtual user logs in once and then repeats iterations; it sends a request when the answer to its
last one is there (a closed loop). With --open an iteration is begun when it is due, by whichever user
is free, and there are two tables: from when it was due, with the waiting behind a slow server, and
from when it was sent, without. A failed request ends the iteration. The time of a transaction
is the sum of its requests' times, without the pauses.

Test data comes from the tenant itself unless a CSV file is given: reading it is not measured.
Items go round: what was checked in can be checked out again, and no two users hold the same
item. Check-ins and check-outs are real: run this against a test tenant.

Exit status: 0 no request failed, 1 some failed, 2 the run could not begin.";

const HAMMER_HELP: &str = "\
Example:
  octavo workload hammer --feeder items.csv --connections 8 --duration 10s \\
      --path-template '/item-storage/items?query=barcode==%22${barcode}%22'
  octavo workload hammer --path-template /loan-types --body-template loan-type.json
      with {\"name\": \"Loan type ${uuid()}\"} in the file

The file has a header line; each request takes a random row of it. The template is sent as it
stands (percent-encode it); the values put into it are percent-encoded. A body is sent as it stands
too, with values escaped as in JSON strings. Only a status from 200 to 299 counts as success.

Exit status: 0 no request failed, 1 some failed, 2 the hammering could not begin.";

const COMPARE_HELP: &str = "\
Examples:
  octavo workload run check-in-check-out --virtual-users 20 --json today.json
  octavo workload compare today.json --baseline nolana
  octavo workload compare yesterday.json today.json

A change is told in per cent of the earlier time. `may be chance` stands where the intervals in which
both figures lie with 95 % confidence meet; published figures come without one, so there the question
is whether they lie in ours.

Exit status: 0, or 2 when there is nothing to compare.";

/// Whether a workload's pauses are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ThinkTime {
    /// Pause as the workload says
    Plan,
    /// No pauses: as much load as the users can make
    None,
}

/// Tenant and login, and what to trust.
#[derive(Debug, Clone, Args)]
pub struct LoginArgs {
    /// The tenant
    #[arg(long, default_value = "diku")]
    pub tenant: String,
    /// The user who logs in; needs the permissions of what the workload does
    #[arg(long, default_value = "diku_admin", value_name = "NAME")]
    pub user: String,
    /// The user's password
    #[arg(
        long,
        env = "OCTAVO_WORKLOAD_PASSWORD",
        default_value = "admin",
        hide_env_values = true
    )]
    pub password: String,
    /// Trust any certificate, also self-signed ones
    #[arg(long, conflicts_with = "certificate_authority")]
    pub insecure: bool,
    /// Trust the authorities in this PEM file instead of the system's
    #[arg(long, value_name = "FILE")]
    pub certificate_authority: Option<PathBuf>,
}

impl LoginArgs {
    fn target(&self, url: &str) -> Target {
        let trust = match (&self.certificate_authority, self.insecure) {
            (Some(file), _) => Trust::Authorities(file.clone()),
            (None, true) => Trust::Anything,
            (None, false) => Trust::System,
        };
        Target {
            url: url.to_owned(),
            trust,
            tenant: self.tenant.clone(),
            username: self.user.clone(),
            password: self.password.clone(),
        }
    }
}

/// The server and the login.
#[derive(Debug, Clone, Args)]
pub struct TargetArgs {
    /// The server's address; a path is put before FOLIO's own paths
    #[arg(long, default_value = "http://127.0.0.1:9130", value_name = "URL")]
    pub url: String,
    /// Tenant and login
    #[command(flatten)]
    pub login: LoginArgs,
}

impl TargetArgs {
    fn target(&self) -> Target {
        self.login.target(&self.url)
    }
}

/// A server that is asked which requests it knows.
#[derive(Debug, Clone, Args)]
pub struct AgainstArgs {
    /// Ask the server at this address which of the requests it knows
    #[arg(long, value_name = "URL")]
    pub against: Option<String>,
    /// Tenant and login
    #[command(flatten)]
    pub login: LoginArgs,
}

impl AgainstArgs {
    pub(super) fn target(&self) -> Option<Target> {
        let url = self.against.as_ref()?;
        Some(self.login.target(url))
    }
}

/// Arguments of `workload run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// A built-in workload (see `workload list`) or a path to a .toml file
    pub workload: String,
    /// The server and the login
    #[command(flatten)]
    pub target: TargetArgs,
    /// Users at work at the same time, each with one connection [default: 8, or 100 with --open]
    #[arg(long, short = 'n', value_name = "N")]
    pub virtual_users: Option<NonZeroUsize>,
    /// Begin iterations at a rate of their own, whether the server keeps up or not
    #[arg(long, requires = "rate")]
    pub open: bool,
    /// Iterations a second: 100, or 100..500 for a rate that grows over the run
    #[arg(long, requires = "open", value_name = "RATE")]
    pub rate: Option<Rate>,
    /// End the run when this came true over some seconds: 'p95 > 50ms', 'average > 1s', 'errors > 1%'
    #[arg(long, value_name = "CONDITION")]
    pub until: Option<Until>,
    /// Leave out of the figures what begins so soon after the ramp-up
    #[arg(long, default_value = "0s", value_parser = duration::parse, value_name = "TIME")]
    pub warm_up: Duration,
    /// Time over which the users begin, evenly spread
    #[arg(long, default_value = "10s", value_parser = duration::parse, value_name = "TIME")]
    pub ramp_up: Duration,
    /// Length of the run, ramp-up included
    #[arg(long, default_value = "60s", value_parser = duration::parse, value_name = "TIME")]
    pub duration: Duration,
    /// Whether users pause as the workload says
    #[arg(long, value_enum, default_value = "plan")]
    pub think_time: ThinkTime,
    /// Run these branches of the workload only
    #[arg(long, value_delimiter = ',', value_name = "BRANCH,...")]
    pub only: Vec<String>,
    /// Shares of the workload's branches, for example 43-57
    #[arg(long, value_parser = distribution, value_name = "A-B")]
    pub distribution: Option<Distribution>,
    /// Repeat the random choices of an earlier run
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// End after so many iterations even if time is left
    #[arg(long, value_name = "N")]
    pub iterations: Option<u64>,
    /// Threads of the driver [default: one a processor]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Write every request and transaction to a JMeter result file
    #[arg(long, value_name = "FILE")]
    pub jtl: Option<PathBuf>,
    /// Write the summary as JSON; without a file (or with -) to standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
    /// Barcodes of items to check out
    #[arg(long, value_name = "CSV", help_heading = "Test data")]
    pub items_available: Option<PathBuf>,
    /// Barcodes of items to check in
    #[arg(long, value_name = "CSV", help_heading = "Test data")]
    pub items_checked_out: Option<PathBuf>,
    /// Patrons; the columns are those of the workload's `users` feeder
    #[arg(long, value_name = "CSV", help_heading = "Test data")]
    pub users: Option<PathBuf>,
    /// Ids of service points
    #[arg(long, value_name = "CSV", help_heading = "Test data")]
    pub service_points: Option<PathBuf>,
    /// Rows for any feeder of the workload, by its name
    #[arg(long, value_parser = feeder_file, value_name = "NAME=CSV", help_heading = "Test data")]
    pub feeder: Vec<(String, PathBuf)>,
    /// Read at most so many rows for a feeder from the tenant
    #[arg(long, value_name = "N", help_heading = "Test data")]
    pub rows_from_tenant: Option<usize>,
}

/// Weights of branches, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution(pub Vec<u32>);

/// Users of a closed loop; they set the load.
const USERS: usize = 8;
/// Users of the open model, who only have to be enough.
const USERS_OPEN: usize = 100;

impl RunArgs {
    fn users(&self) -> usize {
        let default = if self.open { USERS_OPEN } else { USERS };
        self.virtual_users.map_or(default, NonZeroUsize::get)
    }

    pub(super) fn options(&self, workload: Workload, progress: ProgressStyle) -> RunOptions {
        let named = [
            ("items-available", &self.items_available),
            ("items-checked-out", &self.items_checked_out),
            ("users", &self.users),
            ("service-points", &self.service_points),
        ];
        let named = named
            .into_iter()
            .filter_map(|(name, file)| file.as_ref().map(|file| (name.to_owned(), file.clone())));
        RunOptions {
            workload,
            target: self.target.target(),
            virtual_users: self.users(),
            rate: self.rate,
            until: self.until,
            warm_up: self.warm_up,
            ramp_up: self.ramp_up,
            duration: self.duration,
            think: self.think_time == ThinkTime::Plan,
            weights: self.distribution.clone().map(|distribution| distribution.0),
            seed: self.seed.unwrap_or_else(new_seed),
            threads: self.threads.map_or_else(processors, NonZeroUsize::get),
            files: named.chain(self.feeder.iter().cloned()).collect(),
            rows_from_tenant: self.rows_from_tenant,
            iterations: self.iterations,
            jtl: self.jtl.clone(),
            progress,
            limits: Limits::default(),
        }
    }
}

/// Arguments of `workload compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// JSON summaries of runs (--json): one with --baseline, else the earlier and the later one
    #[arg(required = true, num_args = 1..=2, value_name = "RUN.json")]
    pub runs: Vec<PathBuf>,
    /// A release of FOLIO whose published figures are the earlier run, for instance nolana
    #[arg(long, value_name = "RELEASE")]
    pub baseline: Option<String>,
}

/// Arguments of `workload hammer`.
#[derive(Debug, Args)]
pub struct HammerArgs {
    /// The server and the login
    #[command(flatten)]
    pub target: TargetArgs,
    /// Encoded path and query; ${column} takes a value of the feeder's row
    #[arg(long, value_name = "PATH")]
    pub path_template: String,
    /// GET, POST, …; POST with a body and GET without one, unless told otherwise
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// A file with the JSON body; ${column} takes a value of the feeder's row, ${uuid()} a new one
    #[arg(long, value_name = "FILE")]
    pub body_template: Option<PathBuf>,
    /// A CSV file with a header line
    #[arg(long, value_name = "CSV")]
    pub feeder: Option<PathBuf>,
    /// Connections, each with one request at a time
    #[arg(long, short = 'n', default_value = "8", value_name = "N")]
    pub connections: NonZeroUsize,
    /// Length of the run
    #[arg(long, default_value = "10s", value_parser = duration::parse, value_name = "TIME")]
    pub duration: Duration,
    /// Threads of the driver; one can ask some ten thousand times a second
    #[arg(long, default_value = "1", value_name = "N")]
    pub threads: NonZeroUsize,
    /// Text that every answer must contain
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
            connections: self.connections.get(),
            duration: self.duration,
            threads: self.threads.get(),
            body_contains: self.body_contains.clone(),
            seed: self.seed.unwrap_or_else(new_seed),
            limits: Limits::default(),
        }
    }
}

/// Short enough to type again, and exact in every reader of JSON.
fn new_seed() -> u64 {
    u64::from(rand::random::<u32>())
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

fn distribution(text: &str) -> Result<Distribution, String> {
    let weights: Option<Vec<u32>> = text
        .split('-')
        .map(|part| part.trim().parse().ok().filter(|part| *part <= 1000))
        .collect();
    let weights = weights.filter(|weights| weights.iter().sum::<u32>() > 0);
    let wrong = || "write the shares with hyphens between them, for example 43-57".to_owned();
    weights.map(Distribution).ok_or_else(wrong)
}

fn feeder_file(text: &str) -> Result<(String, PathBuf), String> {
    let (name, file) = text.split_once('=').ok_or("write NAME=FILE.csv")?;
    Ok((name.to_owned(), PathBuf::from(file)))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(subcommand)]
        command: WorkloadCommand,
    }

    fn run_args(words: &[&str]) -> RunArgs {
        let words = ["octavo", "run", "check-in-check-out"].iter().chain(words);
        match Program::try_parse_from(words).unwrap().command {
            WorkloadCommand::Run(arguments) => *arguments,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_arguments_are_consistent() {
        Program::command().debug_assert();
    }

    #[test]
    fn defaults_are_those_of_a_local_server() {
        let arguments = run_args(&[]);
        assert_eq!(arguments.target.url, "http://127.0.0.1:9130");
        assert_eq!(arguments.think_time, ThinkTime::Plan);
        assert_eq!((arguments.users(), arguments.duration.as_secs()), (8, 60));
        assert_eq!(run_args(&["--open", "--rate", "5..50"]).users(), 100);
    }

    #[test]
    fn options_are_read() {
        let line = "--distribution 40-60 --users u.csv --feeder x=y.csv --json --think-time none";
        let arguments = run_args(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(arguments.distribution, Some(Distribution(vec![40, 60])));
        assert_eq!(arguments.json, Some(PathBuf::from("-")));
        let workload = crate::workload::load("check-in-check-out").unwrap();
        let options = arguments.options(workload, ProgressStyle::Silent);
        let names: Vec<_> = options
            .files
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, ["users", "x"]);
        assert!(!options.think);
    }

    #[test]
    fn nonsense_is_refused() {
        let parse = |words: &[&str]| {
            Program::try_parse_from(["octavo", "run", "x"].iter().chain(words)).is_err()
        };
        assert!(parse(&["--distribution", "a-b"]));
        assert!(parse(&["--distribution", "0-0"]));
        assert!(parse(&["--virtual-users", "0"]));
        assert!(parse(&["--duration", "soon"]));
        assert!(parse(&["--feeder", "x"]));
        assert!(parse(&["--until", "p95 > soon"]));
        assert!(parse(&["--open"]));
        assert!(parse(&["--rate", "5"]));
        assert!(parse(&["--open", "--rate", "fast"]));
        assert!(parse(&["--insecure", "--certificate-authority", "x.pem"]));
    }
}
