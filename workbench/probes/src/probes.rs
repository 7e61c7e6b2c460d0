//! All probes of a run, on a thread of their own, so that they do not use the load's threads.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use octavo_figures::run::Probed;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{JoinSet, LocalSet};

use crate::drive::{Schedule, drive};
use crate::log::Log;
use crate::machine;
use crate::options::{PostgresTarget, ProbeOptions};
use crate::postgres::Database;
use crate::postgres::connect;
use crate::process::Processes;
use crate::process::find;
use crate::prometheus::Scraper;
pub use crate::recorder::Reading;
use crate::recorder::Recorder;
use crate::server::Server;

/// The time-out of the readings before the load and after it.
const PATIENCE: Duration = Duration::from_secs(30);
/// More frequent samples cost the system too much.
const INTERVAL_MIN: Duration = Duration::from_millis(50);

/// Running probes. Dropped without [`Probes::finish`], they end by themselves.
#[derive(Debug)]
pub struct Probes {
    recorder: Arc<Recorder>,
    run_began: Instant,
    token: Arc<Mutex<String>>,
    end: watch::Sender<bool>,
    ready: mpsc::Receiver<()>,
    done: oneshot::Receiver<()>,
}

impl Probes {
    /// Starts the probes. Times are counted from `run_began` unless [`Probes::run_begins`] changes
    /// that. Never fails: errors become notes.
    #[must_use]
    pub fn start(options: ProbeOptions, run_began: Instant) -> Self {
        let recorder = Arc::new(Recorder::new(run_began));
        let (end, ended) = watch::channel(false);
        let (ready_sender, ready) = mpsc::channel(1);
        let (done_sender, done) = oneshot::channel();
        let token = options.server.as_ref().map(|server| server.token.clone());
        let token = Arc::new(Mutex::new(token.unwrap_or_default()));
        let schedule = Schedule {
            interval: options.interval.max(INTERVAL_MIN),
            ended,
            ready: ready_sender,
        };
        let (seen, renewed) = (Arc::clone(&recorder), Arc::clone(&token));
        let thread = std::thread::Builder::new().name("octavo-probes".to_owned());
        let spawned = thread.spawn(move || {
            run(options, &renewed, &seen, schedule);
            // The receiver may be gone.
            let _ = done_sender.send(());
        });
        if let Err(error) = spawned {
            recorder.note(
                "thread",
                format!("nothing was probed: no thread for it ({error})"),
            );
        }
        Self {
            recorder,
            run_began,
            token,
            end,
            ready,
            done,
        }
    }

    /// Waits for the first reading of everything that is compared later: statements, tables,
    /// advice. If the load begins before, these figures become too small.
    pub async fn ready(&mut self) {
        // Nothing is ever sent; the channel closes when all probes are ready.
        let _ = tokio::time::timeout(PATIENCE, self.ready.recv()).await;
    }

    /// Sets when the run really began.
    pub fn run_begins(&mut self, at: Instant) {
        self.run_began = at;
    }

    /// Gives the probes a new token, when that of the login has expired.
    pub fn renew_token(&self, token: &str) {
        token.clone_into(&mut self.token.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The last value of each series, for a live view.
    #[must_use]
    pub fn latest(&self) -> Vec<Reading> {
        self.recorder.latest()
    }

    /// Takes a last sample, and returns everything.
    pub async fn finish(self) -> Probed {
        // Without a receiver all probes have ended already.
        let _ = self.end.send(true);
        if tokio::time::timeout(PATIENCE, self.done).await.is_err() {
            let text = "what is read after the load was not all read: it took too long";
            self.recorder.note("finish", text);
        }
        self.recorder.take(self.run_began)
    }
}

fn run(
    options: ProbeOptions,
    token: &Arc<Mutex<String>>,
    recorder: &Arc<Recorder>,
    schedule: Schedule,
) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            recorder.note("thread", format!("nothing was probed: {error}"));
            return;
        }
    };
    LocalSet::new().block_on(&runtime, async {
        let mut probes = JoinSet::new();
        spawn(options, token, recorder, &schedule, &mut probes);
        // The probes that were spawned have their own.
        drop(schedule);
        while let Some(ended) = probes.join_next().await {
            if ended.is_err() {
                recorder.note("panic", "a probe failed; its samples are missing");
            }
        }
    });
    // A reading that hangs must not delay the end.
    runtime.shutdown_background();
}

fn spawn(
    options: ProbeOptions,
    token: &Arc<Mutex<String>>,
    recorder: &Arc<Recorder>,
    schedule: &Schedule,
    probes: &mut JoinSet<()>,
) {
    let elsewhere = options
        .target
        .as_deref()
        .is_some_and(|url| matches!(find::local_port(url), Err(find::FindError::Elsewhere(_))));
    machine::describe(recorder, if elsewhere { "generator's " } else { "" });
    let database_is_here = options.postgres.iter().any(connect::is_here);
    if !options.processes.is_empty() || database_is_here {
        let targets = options.postgres.clone();
        let processes = Processes::new(
            &options.processes,
            options.target.clone(),
            database_is_here,
            Box::new(move || connect::postmasters(&targets)),
            recorder,
        );
        probes.spawn_local(drive(processes, schedule.clone()));
    }
    let mut sources: Vec<String> = Vec::new();
    for target in options.postgres {
        let database = Database::new(
            source(&mut sources, &target),
            target,
            options.target.clone(),
            options.create_extension,
            options.trust.clone(),
            recorder,
        );
        probes.spawn_local(drive(database, schedule.clone()));
    }
    for target in options.prometheus {
        let scraper = Scraper::new(target, options.trust.clone(), recorder);
        probes.spawn_local(drive(scraper, schedule.clone()));
    }
    for target in options.logs {
        probes.spawn_local(drive(Log::new(target, recorder), schedule.clone()));
    }
    if let Some(target) = options.server {
        let server = Server::new(target, options.trust, Arc::clone(token), recorder);
        probes.spawn_local(drive(server, schedule.clone()));
    }
}

/// The first database is `postgres`, as its processes are; others have their address in the name.
fn source(known: &mut Vec<String>, target: &PostgresTarget) -> String {
    let name = match target {
        _ if known.is_empty() => "postgres".to_owned(),
        PostgresTarget::At(config) => format!("postgres@{}", PostgresTarget::place(config)),
        PostgresTarget::OfServer => "postgres@server".to_owned(),
    };
    let mut source = name.clone();
    while known.contains(&source) {
        source = format!("{name} {}", known.len() + 1);
    }
    known.push(source.clone());
    source
}
