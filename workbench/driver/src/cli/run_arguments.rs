//! The arguments of `workload run`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, ValueEnum};
use octavo_client::Limits;
use octavo_figures::condition::Condition;

use super::probing::ProbeArgs;
use super::target::TargetArgs;
use crate::drive::{Control, Load, ProgressStyle, Rate, RunOptions, Stage, Until};
use crate::duration;
use crate::workload::Workload;

/// Whether users pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ThinkTime {
    /// Pause as the workload says
    Plan,
    /// No pauses: as much load as the users can make
    None,
}

#[derive(Debug, Clone, Args)]
pub struct RunArgs {
    /// A built-in workload (see `workload list`) or a path to a .toml file
    #[arg(required_unless_present = "resume")]
    pub workload: Option<String>,
    /// The server and the login
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub load: LoadArgs,
    #[command(flatten)]
    pub growth: GrowthArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub probe: ProbeArgs,
    #[command(flatten)]
    pub data: DataArgs,
}

/// The load.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Load")]
pub struct LoadArgs {
    /// Users working at the same time, each with one connection [default: 8, or 100 with --open]
    #[arg(long, short = 'n', value_name = "N")]
    pub virtual_users: Option<NonZeroUsize>,
    /// Start iterations at a fixed rate, whether the server keeps up or not (open model)
    #[arg(long, requires = "rate")]
    pub open: bool,
    /// Iterations a second: 100, or 100..500 for a rate that grows over the run
    #[arg(long, requires = "open", value_name = "RATE")]
    pub rate: Option<Rate>,
    /// Let the rate grow in so many steps of equal length, each with its own figures
    #[arg(long, requires = "rate", value_name = "N")]
    pub steps: Option<NonZeroUsize>,
    /// A stage of the run, repeatable: '20 users for 2m', 'peak: 100..500/s for 30s'
    #[arg(long, value_name = "STAGE", conflicts_with_all = ["duration", "rate"])]
    pub stage: Vec<Stage>,
    /// End the run when this holds for some seconds: 'p95 > 50ms', 'average > 1s', 'errors > 1%'
    #[arg(long, value_name = "CONDITION")]
    pub until: Option<Until>,
    /// Leave requests out of the figures that begin so soon after the ramp-up and after the
    /// beginning of each stage
    #[arg(long, default_value = "0s", value_parser = duration::parse, value_name = "TIME")]
    pub warm_up: Duration,
    /// Time over which the users start, evenly spread
    #[arg(long, default_value = "10s", value_parser = duration::parse, value_name = "TIME")]
    pub ramp_up: Duration,
    /// Length of the run, ramp-up included
    #[arg(long, default_value = "60s", value_parser = duration::parse, value_name = "TIME")]
    pub duration: Duration,
    /// Whether users pause as the workload says
    #[arg(long, value_enum, default_value = "plan")]
    pub think_time: ThinkTime,
    /// Run only these branches of the workload
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
    /// Processes that generate the load together, each with its part of users or rate
    #[arg(long, value_name = "N", default_value = "1",
        conflicts_with_all = ["page", "resume", "rounds", "jtl"])]
    pub generators: NonZeroUsize,
    /// Which of several generators this is, set by the process that starts them: 0/4 to 3/4
    #[arg(long, value_parser = share, value_name = "I/N", hide = true, default_value = "0/1")]
    pub share: (usize, usize),
}

impl LoadArgs {
    /// Whether this process is one of several generators, started by another.
    pub(super) fn is_part(&self) -> bool {
        self.share.1 > 1
    }
}

/// Data growth: measure, let the data grow, measure again.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Growing the data between measurements")]
pub struct GrowthArgs {
    /// Measure for --duration so many times, with growth in between
    #[arg(
        long,
        value_name = "N",
        requires = "grow_for",
        conflicts_with = "stage"
    )]
    pub rounds: Option<NonZeroUsize>,
    /// Between two measurements run the workload without pauses for so long; this is not counted
    #[arg(long, value_parser = duration::parse, value_name = "TIME", requires = "rounds")]
    pub grow_for: Option<Duration>,
    /// Users during growth [default: as many as measure]
    #[arg(long, value_name = "N", requires = "rounds")]
    pub grow_users: Option<NonZeroUsize>,
}

/// Output and monitoring.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Results")]
pub struct OutputArgs {
    /// Write report.html, report.md, run.json and percentile listings to this folder; run.json is
    /// updated during the run
    #[arg(long, value_name = "FOLDER")]
    pub report: Option<PathBuf>,
    /// Also write report.json during the run, this often: for a page that shows it
    #[arg(long, value_parser = duration::parse, value_name = "TIME", requires = "report", hide = true)]
    pub live_report: Option<Duration>,
    /// Resume an interrupted run from its report folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["workload", "report", "stage", "rounds"])]
    pub resume: Option<PathBuf>,
    /// A name for the run in reports and comparisons: a release, a branch
    #[arg(long, value_name = "TEXT")]
    pub name: Option<String>,
    /// Also store the run's record in this folder, for `workload trends`
    #[arg(long, value_name = "FOLDER")]
    pub history: Option<PathBuf>,
    /// Write every request and transaction to a JMeter result file
    #[arg(long, value_name = "FILE")]
    pub jtl: Option<PathBuf>,
    /// Write the record of the run as JSON; without a file (or with -) to standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
    /// Compare with the published figures of a release of FOLIO, for instance nolana
    #[arg(long, value_name = "RELEASE")]
    pub baseline: Option<String>,
    /// Compare with earlier runs
    #[arg(long, value_name = "RUN")]
    pub compare_with: Vec<PathBuf>,
    /// Exit with status 3 when this is true of the run: 'check-out p95 > 1.05x baseline', 'errors >
    /// 1%'
    #[arg(long, value_name = "CONDITION")]
    pub fail_if: Vec<Condition>,
    /// Show the run in a browser, at this address of this machine
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:0")]
    pub page: Option<std::net::SocketAddr>,
    /// Start when somebody presses Start on the page
    #[arg(long, requires = "page")]
    pub wait: bool,
}

/// Test data.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Test data")]
pub struct DataArgs {
    /// Barcodes of items to check out
    #[arg(long, value_name = "CSV")]
    pub items_available: Option<PathBuf>,
    /// Barcodes of items to check in
    #[arg(long, value_name = "CSV")]
    pub items_checked_out: Option<PathBuf>,
    /// Patrons; the columns are those of the workload's `users` feeder
    #[arg(long, value_name = "CSV")]
    pub users: Option<PathBuf>,
    /// Ids of service points
    #[arg(long, value_name = "CSV")]
    pub service_points: Option<PathBuf>,
    /// Rows for any feeder of the workload, by its name
    #[arg(long, value_parser = feeder_file, value_name = "NAME=CSV")]
    pub feeder: Vec<(String, PathBuf)>,
    /// Read at most so many rows for a feeder from the tenant
    #[arg(long, value_name = "N")]
    pub rows_from_tenant: Option<usize>,
}

/// Weights of branches, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution(pub Vec<u32>);

/// The default number of users of a closed loop, where they determine the load.
const USERS: usize = 8;
/// The default number of users in the open model, where there only have to be enough.
const USERS_OPEN: usize = 100;

#[derive(Parser)]
struct Alone {
    #[command(flatten)]
    run: RunArgs,
}

impl RunArgs {
    /// Parses the arguments of `workload run`.
    pub(super) fn from_words(words: &[String]) -> Result<Self, clap::Error> {
        let words = std::iter::once("run").chain(words.iter().map(String::as_str));
        Alone::try_parse_from(words).map(|alone| alone.run)
    }

    /// The number of users, if no stage sets it.
    pub(super) fn users(&self) -> usize {
        let open = self.load.open || self.load.stage.iter().any(|stage| stage.users().is_none());
        let default = if open { USERS_OPEN } else { USERS };
        self.load.virtual_users.map_or(default, NonZeroUsize::get)
    }

    pub(super) fn options(&self, workload: Workload, progress: ProgressStyle) -> RunOptions {
        let (load, data) = (&self.load, &self.data);
        let named = [
            ("items-available", &data.items_available),
            ("items-checked-out", &data.items_checked_out),
            ("users", &data.users),
            ("service-points", &data.service_points),
        ];
        let named = named
            .into_iter()
            .filter_map(|(name, file)| file.as_ref().map(|file| (name.to_owned(), file.clone())));
        RunOptions {
            workload,
            target: self.target.target(),
            virtual_users: self.users(),
            rate: load.rate,
            stages: self.stages(),
            until: load.until,
            warm_up: load.warm_up,
            ramp_up: load.ramp_up,
            duration: load.duration,
            offset: Duration::ZERO,
            share: load.share,
            think: load.think_time == ThinkTime::Plan,
            weights: load.distribution.clone().map(|distribution| distribution.0),
            seed: load.seed.unwrap_or_else(new_seed),
            threads: load.threads.map_or_else(processors, NonZeroUsize::get),
            files: named.chain(data.feeder.iter().cloned()).collect(),
            rows_from_tenant: data.rows_from_tenant,
            iterations: load.iterations,
            jtl: self.output.jtl.clone(),
            name: self.output.name.clone(),
            control: Control::default(),
            progress,
            limits: Limits::default(),
        }
    }

    /// The stages, given in any of the three ways; empty when there is only one.
    fn stages(&self) -> Vec<Stage> {
        let length = self.load.duration.saturating_sub(self.load.ramp_up);
        if let (Some(rate), Some(steps)) = (self.load.rate, self.load.steps) {
            return in_steps(rate, steps.get(), length);
        }
        let Some(rounds) = self.growth.rounds else {
            return self.load.stage.clone();
        };
        let users = self.users();
        let grow_users = self.growth.grow_users.map_or(users, NonZeroUsize::get);
        let stage = |name: String, load: Load, length: Duration, measured: bool| Stage {
            name: Some(name),
            load,
            length,
            counted: measured,
            pauses: measured,
        };
        let mut stages = Vec::new();
        for round in 1..=rounds.get() {
            if round > 1 {
                let load = match self.load.rate {
                    Some(rate) => Load::Rate(rate),
                    None => Load::Users {
                        from: grow_users,
                        to: grow_users,
                    },
                };
                let grow_for = self.growth.grow_for.unwrap_or_default();
                stages.push(stage(
                    format!("growth {}", round - 1),
                    load,
                    grow_for,
                    false,
                ));
            }
            let load = match self.load.rate {
                Some(rate) => Load::Rate(rate),
                None => Load::Users {
                    from: users,
                    to: users,
                },
            };
            stages.push(stage(format!("round {round}"), load, length, true));
        }
        stages
    }
}

/// A growing rate as steps: the first has its beginning, the last its end.
fn in_steps(rate: Rate, steps: usize, length: Duration) -> Vec<Stage> {
    let each = length / u32::try_from(steps).unwrap_or(u32::MAX);
    let level = |step: usize| match steps {
        1 => rate.from,
        _ => rate.from + (rate.to - rate.from) * step as f64 / (steps - 1) as f64,
    };
    (0..steps)
        .map(|step| Stage {
            name: None,
            load: Load::Rate(Rate {
                from: level(step),
                to: level(step),
            }),
            length: each,
            counted: true,
            pauses: true,
        })
        .collect()
}

/// Short enough to type, and exact in every JSON parser.
pub(super) fn new_seed() -> u64 {
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

fn share(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(number, all)| Some((number.parse().ok()?, all.parse().ok()?)));
    parts
        .filter(|(number, all)| number < all)
        .ok_or_else(|| "write 0/4 for the first of four".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::WorkloadCommand;

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
        assert_eq!(arguments.load.think_time, ThinkTime::Plan);
        assert_eq!(
            (arguments.users(), arguments.load.duration.as_secs()),
            (8, 60)
        );
        assert_eq!(run_args(&["--open", "--rate", "5..50"]).users(), 100);
    }

    #[test]
    fn options_are_read() {
        let line = "--distribution 40-60 --users u.csv --feeder x=y.csv --json --think-time none";
        let arguments = run_args(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(
            arguments.load.distribution,
            Some(Distribution(vec![40, 60]))
        );
        assert_eq!(arguments.output.json, Some(PathBuf::from("-")));
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

    #[test]
    fn stages_come_from_steps_from_rounds_or_as_they_are() {
        let stages = |words: &[&str]| {
            let stages = run_args(words).stages();
            let described = stages
                .iter()
                .map(|stage| format!("{} for {} s", stage.load, stage.length.as_secs()));
            described.collect::<Vec<_>>()
        };
        let steps = [
            "--open",
            "--rate",
            "100..500",
            "--steps",
            "3",
            "--duration",
            "40s",
        ];
        assert_eq!(
            stages(&steps),
            ["100/s for 10 s", "300/s for 10 s", "500/s for 10 s"]
        );
        let rounds = [
            "--rounds",
            "2",
            "--grow-for",
            "5m",
            "--grow-users",
            "40",
            "--duration",
            "70s",
        ];
        assert_eq!(
            stages(&rounds),
            ["8 users for 60 s", "40 users for 300 s", "8 users for 60 s"]
        );
        let grown = run_args(&rounds).stages().swap_remove(1);
        assert!(!grown.counted && !grown.pauses);
        assert_eq!(
            stages(&["--stage", "peak: 5 users for 9s"]),
            ["5 users for 9 s"]
        );
        assert_eq!(stages(&[]), [""; 0]);
    }
}
