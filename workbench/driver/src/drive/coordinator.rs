//! The run from its beginning to its end: session, feeders, worker threads, progress, results.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use octavo_client::Endpoint;
use octavo_figures::run::{Generator, OpenModel, Run, RunFacts, Step};
use tokio::sync::{mpsc, watch};

use super::arrivals::Arrivals;
use super::clock::Clock;
use super::collected::Collected;
use super::crew::start_worker;
use super::feeding::{fill_feeders, weights};
use super::groups::{Groups, check_data, settled};
use super::interrupts::Interrupts;
use super::observer::{Control, Live, Observer};
use super::options::{RunError, RunOptions, check};
use super::progress::Progress;
use super::schedule::Schedule;
use super::shared::Shared;
use super::until::Watcher;
use crate::feeder::Feeders;
use crate::measure::{Catalogue, JtlFile, processor, summary};
use crate::session::Session;

/// How often the number of users is adjusted.
const TICK: Duration = Duration::from_millis(50);
/// Ticks a second.
const TICKS: u32 = 20;

/// Runs a workload to its end or until Ctrl-C. Must be called outside of async runtimes.
///
/// # Errors
/// When the run cannot begin, or its results cannot be collected.
pub fn run(options: RunOptions) -> Result<Run, RunError> {
    run_watched(options, &mut ())
}

/// The same with an observer.
///
/// # Errors
/// As [`run`].
pub fn run_watched(options: RunOptions, observer: &mut dyn Observer) -> Result<Run, RunError> {
    let options = settled(options)?;
    check(&options)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime
        .map_err(RunError::Workers)?
        .block_on(conduct(options, observer))
}

async fn conduct(options: RunOptions, observer: &mut dyn Observer) -> Result<Run, RunError> {
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
    let facts = summary::facts(&options, &endpoint, &weights);
    let mut conductor = Conductor::start(options, facts, endpoint, feeders, weights, jtl.as_ref())?;
    observer.begun(conductor.started, conductor.offset);
    conductor.conduct(observer).await;
    conductor.progress.finish();
    let mut run = conductor.record();
    if let Some(Err((path, error))) = jtl.map(JtlFile::close) {
        run.notes.push(format!(
            "{} could not be written to its end ({error}); the figures do not come from it.",
            path.display()
        ));
    }
    Ok(run)
}

fn create_jtl(path: &Path, endpoint: &Endpoint) -> Result<JtlFile, RunError> {
    let created = JtlFile::create(path, &endpoint.origin);
    created.map_err(|source| RunError::Jtl {
        path: path.to_owned(),
        source,
    })
}

/// The state of a run in progress.
struct Conductor {
    shared: Arc<Shared>,
    collected: Collected,
    facts: RunFacts,
    names: Vec<String>,
    control: Control,
    most_users: usize,
    threads: usize,
    wanted: watch::Sender<usize>,
    stop: watch::Sender<bool>,
    done: mpsc::UnboundedReceiver<()>,
    missing: usize,
    watcher: Option<Watcher>,
    progress: Progress,
    started: Instant,
    offset: Duration,
    clock: Clock,
    processor: Option<Duration>,
    /// When the workers' results were last collected, from the beginning of the run.
    collected_at: Duration,
    ended_early: Option<String>,
    notes: Vec<String>,
}

impl Conductor {
    fn start(
        options: RunOptions,
        facts: RunFacts,
        endpoint: Arc<Endpoint>,
        feeders: Arc<Feeders>,
        weights: Vec<u32>,
        jtl: Option<&JtlFile>,
    ) -> Result<Self, RunError> {
        let threads = options.threads.min(options.most_users());
        let most_users = options.most_users();
        let (offset, control) = (options.offset, options.control.clone());
        let progress = Progress::new(options.progress);
        let watcher = options.until.map(Watcher::new);
        let stages = options.all_stages();
        let schedule = Schedule::new(stages, options.ramp_up, options.warm_up, offset);
        let (wanted, wanted_now) = watch::channel(schedule.users_at(offset, most_users));
        let (stop, stopped) = watch::channel(false);
        let names = options.workload.transactions.iter();
        let names = names.map(|one| one.name.clone()).collect();
        let started = schedule.at(offset);
        let shared = Arc::new(share(
            options, schedule, endpoint, feeders, weights, wanted_now, stopped,
        ));
        let processor = processor::time_used();
        let (done_sender, done) = mpsc::unbounded_channel();
        let places = (0..threads).map(|worker| {
            let rows = jtl.map(JtlFile::rows);
            start_worker((worker, threads), &shared, rows, done_sender.clone())
        });
        let places = places.collect::<Result<Vec<_>, _>>()?;
        let transactions = shared.workload.transactions.len();
        let catalogue = Arc::clone(&shared.catalogue);
        Ok(Self {
            collected: Collected::new(places, shared.bounds.len(), catalogue, transactions),
            facts,
            names,
            control,
            most_users,
            threads,
            wanted,
            stop,
            done,
            missing: threads,
            watcher,
            progress,
            started,
            offset,
            clock: Clock::new(started),
            processor,
            collected_at: offset,
            ended_early: None,
            notes: Vec::new(),
            shared,
        })
    }

    /// Waits for all workers, changing the load as planned or requested; Ctrl-C makes them end
    /// early.
    async fn conduct(&mut self, observer: &mut dyn Observer) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut tick = 0;
        // Kept across iterations: a new one would miss a signal that came in between.
        let mut asked = Interrupts::new();
        while self.missing > 0 {
            tokio::select! {
                done = self.done.recv() => match done {
                    Some(()) => self.missing -= 1,
                    None => {
                        self.notes.push("A worker thread died; what it measured in its last second is lost.".to_owned());
                        break;
                    }
                },
                _ = ticks.tick() => {
                    self.set_load();
                    tick += 1;
                    if tick % TICKS == 0 {
                        self.second(observer);
                    }
                }
                why = asked.next() => {
                    if self.ended_early.is_some() {
                        // The second Ctrl-C: do not even wait for open requests.
                        std::process::exit(130);
                    }
                    self.end(why);
                }
            }
        }
        self.collect(true);
    }

    fn set_load(&self) {
        if self.control.stopped().is_some() && !self.shared.stopped.load(Ordering::Relaxed) {
            self.stop_users();
        }
        let now = self.shared.schedule.elapsed();
        let planned = self.shared.schedule.users_at(now, self.most_users);
        // The workload sets the number of users in groups.
        let wished = self
            .control
            .users()
            .filter(|_| !self.shared.groups.are_there());
        let users = wished.unwrap_or(planned);
        self.wanted.send_if_modified(|wanted| {
            let changed = *wanted != users;
            *wanted = users;
            changed
        });
    }

    fn second(&mut self, observer: &mut dyn Observer) {
        let since = self.collect(false);
        if let Some(note) = self.clock.stepped() {
            self.notes.push(note);
        }
        let schedule = &self.shared.schedule;
        let live = Live {
            elapsed: self.collected_at,
            whole: schedule.length(),
            stage: (
                schedule.stage_at(self.collected_at).0,
                schedule.stages.len(),
            ),
            users: self.shared.active.load(Ordering::Relaxed),
            wanted: *self.wanted.borrow(),
            rate: self.shared.rate_now(),
            requests: self.collected.requests,
            names: &self.names,
            transactions: &self.collected.transactions,
            latest: &self.collected.latest,
            timeline: &self.collected.timeline,
        };
        self.progress.second(&live);
        if observer.second(&live) {
            let run = self.record();
            observer.record(run);
        }
        let counts = self
            .shared
            .bounds
            .first()
            .is_some_and(|first| Instant::now() >= first.from);
        if let Some(watcher) = &mut self.watcher
            && counts
            && !self.shared.is_over()
            && watcher.second(since, self.shared.rate_now())
        {
            self.stop_users();
        }
    }

    /// Collects the workers' results; returns the transactions since the last time.
    fn collect(&mut self, is_rest: bool) -> octavo_figures::Series {
        let now = self.shared.schedule.elapsed();
        let step = Step {
            at_s: self.collected_at.as_secs_f64(),
            seconds: now.saturating_sub(self.collected_at).as_secs_f64(),
            users: self.shared.active.load(Ordering::Relaxed),
            rate: self.shared.rate_now(),
            ..Step::default()
        };
        self.collected_at = now;
        self.collected.collect(step, is_rest)
    }

    fn end(&mut self, why: &str) {
        self.ended_early.get_or_insert_with(|| why.to_owned());
        self.stop_users();
    }

    fn stop_users(&self) {
        // The users may have ended already.
        let _ = self.stop.send(true);
        self.shared.stopped.store(true, Ordering::Relaxed);
    }

    /// The record of the run so far.
    fn record(&self) -> Run {
        let shared = &self.shared;
        let results = &self.collected.results;
        let whole = self.started.elapsed();
        let time = self.collected_at.saturating_sub(shared.ramp_up);
        let before = self.offset.saturating_sub(shared.ramp_up);
        let counted = match &shared.arrivals {
            Some(arrivals) => {
                let (due, taken) = (arrivals.due_within(time), arrivals.taken());
                Some((due, taken, arrivals.due_within(before)))
            }
            None => shared.groups.are_paced().then(|| {
                let (due, taken) = shared.groups.due_and_taken(time);
                (due, taken, shared.groups.due_and_taken(before).0)
            }),
        };
        let open = counted.map(|(due, taken, before)| OpenModel {
            due: due.saturating_sub(before),
            not_begun: due.saturating_sub(taken),
            overdue: results.overdue,
            lateness: results.generator.statistics(),
        });
        let used = self.processor.zip(processor::time_used());
        let used = used.map(|(before, after)| after.saturating_sub(before));
        let record = summary::Gathered {
            facts: &self.facts,
            workload: &shared.workload,
            catalogue: &shared.catalogue,
            stages: &shared.schedule.stages,
            begins: shared.schedule.begins().collect(),
            bounds: &shared.bounds,
            until: Instant::now(),
            results,
            open: shared.is_open(),
        };
        let mut run = record.run(Generator::new(self.threads, whole, used, open));
        run.timeline = self.collected.timeline.clone();
        run.until = self.watcher.as_ref().map(Watcher::verdict);
        run.ended_early = self.ended_early.clone().or_else(|| self.control.stopped());
        run.notes.clone_from(&self.notes);
        run
    }
}

fn share(
    options: RunOptions,
    schedule: Schedule,
    endpoint: Arc<Endpoint>,
    feeders: Arc<Feeders>,
    weights: Vec<u32>,
    wanted: watch::Receiver<usize>,
    stop: watch::Receiver<bool>,
) -> Shared {
    let arrivals = schedule.is_open().then(|| {
        let offset = options.offset.saturating_sub(options.ramp_up);
        Arrivals::new(&schedule.rates(), offset)
    });
    let length = options.length();
    let begun = options.offset.saturating_sub(options.ramp_up);
    Shared {
        groups: Groups::new(
            &options.workload,
            length.saturating_sub(options.ramp_up),
            begun,
        ),
        catalogue: Arc::new(Catalogue::new(&options.workload)),
        workload: options.workload,
        endpoint,
        target: options.target,
        limits: options.limits,
        feeders,
        weights,
        think: options.think,
        seed: options.seed,
        bounds: schedule.bounds().into(),
        deadline: schedule.at(length),
        schedule,
        ramp_up: options.ramp_up,
        arrivals,
        active: AtomicUsize::new(0),
        wanted,
        iterations_left: options
            .iterations
            .map(|count| AtomicI64::new(i64::try_from(count).unwrap_or(i64::MAX))),
        stopped: AtomicBool::new(false),
        stop,
    }
}
