//! The run from its beginning to its end: session, feeders, worker threads, progress, results.
//! Each worker thread has its own runtime, connections and recorder, so that threads share nothing
//! on the way of a request.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};
use tokio::task::LocalSet;

use super::arrivals::{Arrivals, Rate};
use super::groups::{Groups, check_data, settled};
use super::progress::{Progress, ProgressStyle};
use super::shared::{EARLY, Shared};
use super::until::{Until, Watcher};
use super::virtual_user::VirtualUser;
use crate::feeder::{CsvError, Feeders, FillError, Row, fill, joined, read_rows};
use crate::http::{Endpoint, Limits};
use crate::measure::{Catalogue, JtlFile, Live, Recorder, processor};
use crate::report::{Generator, RunFacts, Summary};
use crate::session::{Session, SessionError, Target};
use crate::workload::{FeederSpec, Workload};

/// What to run, against which server, how hard and how long.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The compiled workload.
    pub workload: Workload,
    /// Server and login.
    pub target: Target,
    /// Concurrent virtual users.
    pub virtual_users: usize,
    /// Over which they begin, evenly spread.
    pub ramp_up: Duration,
    /// From the first user's begin, ramp-up included.
    pub duration: Duration,
    /// Iterations a second, due whether the server keeps up or not, from the end of the ramp-up on:
    /// the open model. Without one, users go on when they are answered.
    pub rate: Option<Rate>,
    /// Ends the run when this came true over some seconds.
    pub until: Option<Until>,
    /// What begins so soon after the ramp-up is sent and not counted.
    pub warm_up: Duration,
    /// Whether the plan's pauses are made.
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
    /// End after so many iterations.
    pub iterations: Option<u64>,
    /// Where to write every sample.
    pub jtl: Option<PathBuf>,
    /// How progress is shown.
    pub progress: ProgressStyle,
    /// Time-outs and sizes of an exchange.
    pub limits: Limits,
}

/// Why there was no run, or no result of it.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No session.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A CSV file is of no use.
    #[error(transparent)]
    Csv(#[from] CsvError),
    /// The tenant did not give rows.
    #[error(transparent)]
    Fill(#[from] FillError),
    /// A combination of options without sense.
    #[error("{0}")]
    Options(String),
    /// The JTL file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Jtl {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The operating system refused a thread or a runtime.
    #[error("cannot start the workers: {0}")]
    Workers(std::io::Error),
    /// A worker thread ended without its results.
    #[error("a worker thread died; its results are lost")]
    WorkerDied,
}

/// Runs a workload to its end or until Ctrl-C. Must be called outside any async runtime.
///
/// # Errors
/// When the run cannot begin, or its results cannot be had.
pub fn run(options: RunOptions) -> Result<Summary, RunError> {
    let options = settled(options)?;
    check(&options)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime
        .map_err(RunError::Workers)?
        .block_on(conduct(options))
}

fn check(options: &RunOptions) -> Result<(), RunError> {
    let fail = |text: String| Err(RunError::Options(text));
    let branches = &options.workload.branches;
    if options.virtual_users == 0 || options.threads == 0 {
        return fail("at least one virtual user and one thread are needed".to_owned());
    }
    if options.ramp_up + options.warm_up >= options.duration
        && (options.rate.is_some() || !options.warm_up.is_zero())
    {
        return fail(
            "ramp-up and warm-up together leave nothing of the run: make --duration longer"
                .to_owned(),
        );
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

async fn conduct(options: RunOptions) -> Result<Summary, RunError> {
    let mut session = Session::open(&options.target).await?;
    let feeders = Arc::new(fill_feeders(&options, &mut session).await?);
    let weights = weights(&options, &feeders)?;
    check_data(&options.workload, &weights, &feeders)?;
    let endpoint = Arc::clone(session.endpoint());
    drop(session);
    let jtl = options
        .jtl
        .as_ref()
        .map(|path| create_jtl(path, &endpoint))
        .transpose()?;
    let facts = RunFacts::new(&options, &endpoint, &weights);
    let threads = options.threads.min(options.virtual_users);
    let progress_style = options.progress;
    let mut watcher = options.until.map(Watcher::new);
    let (stop, stopped) = watch::channel(false);
    let shared = Arc::new(share(options, endpoint, feeders, weights, stopped));
    let lives = start_lives(&shared, threads);
    let (done, mut results) = mpsc::unbounded_channel();
    for (worker, live) in lives.iter().enumerate() {
        let transactions = shared.workload.transactions.len();
        let rows = jtl.as_ref().map(JtlFile::rows);
        let catalogue = Arc::clone(&shared.catalogue);
        let live = Arc::clone(live);
        let mut recorder = Recorder::new(catalogue, live, transactions, rows, shared.counted_from);
        if shared.arrivals.is_some() || shared.groups.are_paced() {
            recorder.open();
        }
        start_worker(worker, threads, Arc::clone(&shared), recorder, done.clone())?;
    }
    drop(done);
    let mut progress = Progress::new(progress_style, &shared, &lives);
    let processor = processor::time_used();
    let merged = gather(
        &shared,
        &stop,
        &mut results,
        &mut progress,
        &mut watcher,
        threads,
    )
    .await;
    let measured = shared.counted_from.elapsed();
    let whole = shared.started.elapsed();
    progress.finish();
    let used = processor.zip(processor::time_used());
    let used = used.map(|(before, after)| after.saturating_sub(before));
    if let Some(jtl) = jtl {
        jtl.close()
            .map_err(|(path, source)| RunError::Jtl { path, source })?;
    }
    let merged = merged?.ok_or(RunError::WorkerDied)?;
    let time = whole.saturating_sub(shared.ramp_up);
    let due = match &shared.arrivals {
        Some(arrivals) => Some((arrivals.due_within(time), arrivals.taken())),
        None if shared.groups.are_paced() => Some(shared.groups.due_and_taken(time)),
        None => None,
    };
    let generator = Generator::new(threads, whole, used, due, merged.intended.as_ref());
    Ok(Summary::new(
        facts,
        generator,
        watcher.map(Watcher::verdict),
        &shared.workload,
        &shared.catalogue,
        &merged,
        measured,
    ))
}

fn create_jtl(path: &Path, endpoint: &Endpoint) -> Result<JtlFile, RunError> {
    let created = JtlFile::create(path, &endpoint.origin);
    created.map_err(|source| RunError::Jtl {
        path: path.to_owned(),
        source,
    })
}

fn start_lives(shared: &Shared, threads: usize) -> Vec<Arc<Live>> {
    let transactions = shared.workload.transactions.len();
    (0..threads)
        .map(|_| Arc::new(Live::new(transactions)))
        .collect()
}

fn share(
    options: RunOptions,
    endpoint: Arc<Endpoint>,
    feeders: Arc<Feeders>,
    weights: Vec<u32>,
    stop: watch::Receiver<bool>,
) -> Shared {
    let started = Instant::now();
    let length = options.duration.saturating_sub(options.ramp_up);
    Shared {
        groups: Groups::new(&options.workload, length),
        catalogue: Arc::new(Catalogue::new(&options.workload)),
        workload: options.workload,
        endpoint,
        target: options.target,
        limits: options.limits,
        feeders,
        weights,
        think: options.think,
        seed: options.seed,
        virtual_users: options.virtual_users,
        ramp_up: options.ramp_up,
        started,
        deadline: started + options.duration,
        arrivals: options.rate.map(|rate| Arrivals::new(rate, length)),
        counted_from: match (options.rate, options.warm_up.is_zero()) {
            (None, true) => started,
            (None, false) => started + options.ramp_up + options.warm_up,
            (Some(_), _) => started + options.ramp_up + options.warm_up - EARLY,
        },
        active: AtomicUsize::new(0),
        iterations_left: options
            .iterations
            .map(|count| AtomicI64::new(i64::try_from(count).unwrap_or(i64::MAX))),
        stopped: AtomicBool::new(false),
        stop,
    }
}

async fn fill_feeders(options: &RunOptions, session: &mut Session) -> Result<Feeders, RunError> {
    let mut contents = Vec::new();
    for spec in &options.workload.feeders {
        let rows = feeder_rows(options, spec, session).await?;
        let rows = match &spec.together {
            Some(together) => joined(&rows, together),
            None => rows,
        };
        contents.push((spec.sharing, rows));
    }
    Ok(Feeders::new(contents))
}

async fn feeder_rows(
    options: &RunOptions,
    spec: &FeederSpec,
    session: &mut Session,
) -> Result<Vec<Row>, RunError> {
    if let Some((_, file)) = options.files.iter().find(|(name, _)| *name == spec.name) {
        return Ok(read_rows(file, &spec.columns)?);
    }
    match &spec.tenant {
        Some(source) => Ok(fill(session, spec, source, options.rows_from_tenant).await?),
        None if spec.starts_empty => Ok(Vec::new()),
        None => Err(RunError::Options(format!(
            "the feeder {name} has no source in the tenant; give --feeder {name}=FILE",
            name = spec.name
        ))),
    }
}

/// The weights to use, once it is sure that at least one branch has test data.
fn weights(options: &RunOptions, feeders: &Feeders) -> Result<Vec<u32>, RunError> {
    let branches = &options.workload.branches;
    let own = || branches.iter().map(|branch| branch.weight).collect();
    let weights: Vec<u32> = options.weights.clone().unwrap_or_else(own);
    let has_rows = |feeder: &usize| feeders.len(*feeder) > 0;
    let mut weighted = branches
        .iter()
        .zip(&weights)
        .filter(|(_, weight)| **weight > 0);
    if weighted.any(|(branch, _)| branch.draws.iter().all(has_rows)) {
        return Ok(weights);
    }
    let feeders = options.workload.feeders.iter().enumerate();
    let empty = feeders.filter(|(number, _)| !has_rows(number));
    let names: Vec<_> = empty.map(|(_, spec)| spec.name.as_str()).collect();
    Err(RunError::Options(format!(
        "no branch of {} has test data: the tenant {} has nothing for {}. \
         Load records into it, or give --feeder NAME=FILE.",
        options.workload.name,
        options.target.tenant,
        names.join(", ")
    )))
}

fn start_worker(
    worker: usize,
    threads: usize,
    shared: Arc<Shared>,
    recorder: Recorder,
    done: mpsc::UnboundedSender<Recorder>,
) -> Result<(), RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(RunError::Workers)?;
    let work = move || {
        let recorder = Rc::new(RefCell::new(recorder));
        let users = (worker..shared.virtual_users).step_by(threads);
        let tasks = LocalSet::new();
        let mut handles = Vec::new();
        for number in users {
            let (shared, recorder) = (Arc::clone(&shared), Rc::clone(&recorder));
            handles.push(tasks.spawn_local(async move {
                let user = VirtualUser::new(&shared, recorder, number);
                user.work(&shared).await;
            }));
        }
        tasks.block_on(&runtime, async {
            for handle in handles {
                // A user that panicked has said so on standard error; the others' results count.
                let _ = handle.await;
            }
        });
        drop(tasks);
        if let Ok(recorder) = Rc::try_unwrap(recorder) {
            let mut recorder = recorder.into_inner();
            recorder.finish();
            // Nobody listens any more only when the run was given up.
            let _ = done.send(recorder);
        }
    };
    let named = std::thread::Builder::new().name(format!("load-{worker}"));
    named.spawn(work).map(drop).map_err(RunError::Workers)
}

/// Waits for all workers, showing progress; Ctrl-C makes them end early.
async fn gather(
    shared: &Shared,
    stop: &watch::Sender<bool>,
    results: &mut mpsc::UnboundedReceiver<Recorder>,
    progress: &mut Progress<'_>,
    watcher: &mut Option<Watcher>,
    threads: usize,
) -> Result<Option<Recorder>, RunError> {
    let mut ticks = tokio::time::interval(Duration::from_secs(1));
    ticks.tick().await;
    let mut merged: Option<Recorder> = None;
    let mut missing = threads;
    while missing > 0 {
        tokio::select! {
            result = results.recv() => {
                let recorder = result.ok_or(RunError::WorkerDied)?;
                missing -= 1;
                match &mut merged {
                    Some(merged) => merged.add(recorder),
                    None => merged = Some(recorder),
                }
            }
            _ = ticks.tick() => {
                let since = progress.second(shared);
                let counts = Instant::now() >= shared.counted_from;
                if let Some(watcher) = watcher
                    && counts
                    && !shared.is_over()
                    && watcher.second(since, shared.rate_now())
                {
                    let _ = stop.send(true);
                    shared.stopped.store(true, Ordering::Relaxed);
                }
            }
            pressed = tokio::signal::ctrl_c() => {
                if pressed.is_ok() && shared.stopped.swap(true, Ordering::Relaxed) {
                    // The second time: do not even wait for open requests.
                    std::process::exit(130);
                }
                let _ = stop.send(true);
            }
        }
    }
    Ok(merged)
}
