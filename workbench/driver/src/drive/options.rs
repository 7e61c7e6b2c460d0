//! The options of a run, and their validation.

use std::path::PathBuf;
use std::time::Duration;

use octavo_client::Limits;

use super::arrivals::Rate;
use super::observer::Control;
use super::progress::ProgressStyle;
use super::stage::{Load, Stage};
use super::until::Until;
use crate::feeder::{CsvError, FillError};
use crate::session::{SessionError, Target};
use crate::workload::Workload;

/// What to run, against which server, how hard and how long.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The compiled workload.
    pub workload: Workload,
    /// Server and login.
    pub target: Target,
    /// Concurrent virtual users.
    pub virtual_users: usize,
    /// The time over which they start, evenly spread.
    pub ramp_up: Duration,
    /// From the first user's start, ramp-up included.
    pub duration: Duration,
    /// Iterations a second, due whether the server keeps up or not, from the end of the ramp-up on:
    /// the open model. Without a rate, users continue when they are answered.
    pub rate: Option<Rate>,
    /// Ends the run when this holds for some seconds.
    pub until: Option<Until>,
    /// Requests that begin so soon after the ramp-up are sent and not counted.
    pub warm_up: Duration,
    /// Whether users pause as planned.
    pub think: bool,
    /// Weights in place of the workload's, one a branch.
    pub weights: Option<Vec<u32>>,
    /// Makes branches, pauses and random choices repeatable.
    pub seed: u64,
    /// Worker threads.
    pub threads: usize,
    /// CSV files by feeder name; feeders without one are filled from the tenant.
    pub files: Vec<(String, PathBuf)>,
    /// The most rows to read from the tenant for a feeder, over the workload's own caps.
    pub rows_from_tenant: Option<usize>,
    /// Ends the run after so many iterations.
    pub iterations: Option<u64>,
    /// The file for every sample.
    pub jtl: Option<PathBuf>,
    /// Stages in place of `virtual_users` or `rate` over `duration`.
    pub stages: Vec<Stage>,
    /// How much of the run an earlier part has done.
    pub offset: Duration,
    /// Which of several generators this is, and how many there are: exclusive rows of test data are
    /// distributed among them.
    pub share: (usize, usize),
    /// A name for the run: a release, a branch.
    pub name: Option<String>,
    /// Changes the load during the run.
    pub control: Control,
    /// How progress is displayed.
    pub progress: ProgressStyle,
    /// Time-outs and sizes of an exchange.
    pub limits: Limits,
}

/// Why there was no run, or no result of it.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Csv(#[from] CsvError),
    #[error(transparent)]
    Fill(#[from] FillError),
    /// Options that exclude each other.
    #[error("{0}")]
    Options(String),
    #[error("cannot write {}: {source}", path.display())]
    Jtl {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The operating system refused a thread or a runtime.
    #[error("cannot start the workers: {0}")]
    Workers(std::io::Error),
}

impl RunOptions {
    /// The stages: those given, or the one that users or rate and duration make.
    pub fn all_stages(&self) -> Vec<Stage> {
        if !self.stages.is_empty() {
            return self.stages.clone();
        }
        let load = match self.rate {
            Some(rate) => Load::Rate(rate),
            None => Load::Users {
                from: self.virtual_users,
                to: self.virtual_users,
            },
        };
        vec![Stage {
            name: None,
            load,
            // A duration within the ramp-up never has all users; its rest is one moment.
            length: self
                .duration
                .saturating_sub(self.ramp_up)
                .max(Duration::from_millis(1)),
            counted: true,
            pauses: true,
        }]
    }

    /// From the first user's start to the last one's end, as planned. Without stages the ramp-up
    /// may take longer than all of it.
    pub fn length(&self) -> Duration {
        match self.stages.is_empty() {
            true => self.duration,
            false => {
                self.ramp_up
                    + self
                        .stages
                        .iter()
                        .map(|stage| stage.length)
                        .sum::<Duration>()
            }
        }
    }

    /// The most users of any stage; in the open model the configured ones.
    pub fn most_users(&self) -> usize {
        let wanted = self.all_stages();
        let most = wanted.iter().filter_map(Stage::users).max();
        most.unwrap_or(self.virtual_users)
    }
}

pub(super) fn check(options: &RunOptions) -> Result<(), RunError> {
    let fail = |text: String| Err(RunError::Options(text));
    let branches = &options.workload.branches;
    if options.virtual_users == 0 || options.threads == 0 {
        return fail("at least one virtual user and one thread are needed".to_owned());
    }
    if options.ramp_up >= options.duration && options.stages.is_empty() && options.rate.is_some() {
        return fail("the ramp-up leaves nothing of the run: make --duration longer".to_owned());
    }
    let stages = options.all_stages();
    let open = stages
        .iter()
        .filter(|stage| stage.users().is_none())
        .count();
    if open > 0 && open < stages.len() {
        return fail(
            "all stages want either users or a rate: the times of both mean different things"
                .to_owned(),
        );
    }
    if !stages.iter().any(|stage| stage.counted) {
        return fail("no stage is counted: nothing would be measured".to_owned());
    }
    if let Some(short) = stages
        .iter()
        .find(|stage| stage.counted && stage.length <= options.warm_up)
    {
        return fail(format!(
            "the warm-up of {} s leaves nothing of a stage of {} s: make --duration or the stage longer",
            options.warm_up.as_secs_f64(),
            short.length.as_secs_f64()
        ));
    }
    if let Some(weights) = &options.weights {
        if weights.len() != branches.len() {
            let names: Vec<_> = branches.iter().map(|branch| branch.name.as_str()).collect();
            let (given, wanted) = (weights.len(), names.len());
            let names = names.join("-");
            return fail(format!(
                "--distribution has {given} parts instead of {wanted}: {names}"
            ));
        }
        if weights.iter().sum::<u32>() == 0 {
            return fail("--distribution leaves no branch".to_owned());
        }
    }
    if options.until.is_some() && !options.workload.transactions.iter().any(|one| one.summed) {
        return fail(format!(
            "{} has no transaction whose times --until could watch",
            options.workload.name
        ));
    }
    let feeders = &options.workload.feeders;
    for (name, _) in &options.files {
        if !feeders.iter().any(|feeder| feeder.name == *name) {
            let known: Vec<_> = feeders.iter().map(|feeder| feeder.name.as_str()).collect();
            let (workload, known) = (&options.workload.name, known.join(", "));
            return fail(format!("{workload} has no feeder `{name}`; it has {known}"));
        }
    }
    Ok(())
}
