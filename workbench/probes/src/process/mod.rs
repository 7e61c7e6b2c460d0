//! Processor time and memory of processes, from `/proc` and control groups.

mod cgroup;
pub(crate) mod find;
mod meter;
pub(crate) mod stat;

use std::sync::Arc;
use std::time::{Duration, Instant};

use cgroup::Group;
use find::FindError;
use meter::Meter;
use stat::Stat;

use crate::drive::Probe;
use crate::health::Health;
use crate::options::ProcessTarget;
use crate::recorder::Recorder;

/// The interval between readings of shared memory: Linux walks all pages of each process for them.
const MEMORY_EVERY: Duration = Duration::from_secs(5);
/// Reading them takes no more than this part of one processor.
const MEMORY_COST: u32 = 50;

/// All probed processes.
pub(crate) struct Processes {
    shared: Option<Box<Shared>>,
}

struct Shared {
    recorder: Arc<Recorder>,
    target: Option<String>,
    /// Postmasters of probed databases.
    known: Box<dyn Fn() -> Vec<i32> + Send>,
    watched: Vec<Watched>,
    machine: Meter,
    memory: MemoryTurn,
}

struct Watched {
    target: ProcessTarget,
    /// Whether it was requested; otherwise it may be missing without a note.
    asked: bool,
    meter: Meter,
    health: Health,
    found: Option<ProcessMatch>,
    /// How its memory is measured; decided at the first sample.
    manner: Option<MemoryMeasure>,
}

/// The result of looking up a target.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ProcessMatch {
    One { pid: i32, started: u64 },
    Family { pid: i32, started: u64 },
    Name(String),
    Group(Group),
}

/// The kind of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SampleKind {
    During,
    /// `fresh` when the sample before is too recent for rates.
    Last {
        fresh: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MemoryMeasure {
    Proportional,
    Resident,
}

/// When to read shares of memory again.
struct MemoryTurn {
    next: Instant,
}

impl Processes {
    pub(crate) fn new(
        targets: &[ProcessTarget],
        target: Option<String>,
        database_is_probed: bool,
        known: Box<dyn Fn() -> Vec<i32> + Send>,
        recorder: &Arc<Recorder>,
    ) -> Self {
        let watch = |target: &ProcessTarget, asked| Watched {
            target: target.clone(),
            asked,
            meter: Meter::default(),
            health: Health::new(target.to_string(), recorder),
            found: None,
            manner: None,
        };
        let mut watched: Vec<Watched> = targets.iter().map(|target| watch(target, true)).collect();
        if database_is_probed && !targets.contains(&ProcessTarget::Postgres) {
            watched.push(watch(&ProcessTarget::Postgres, false));
        }
        Self {
            shared: Some(Box::new(Shared {
                recorder: Arc::clone(recorder),
                target,
                known,
                watched,
                machine: Meter::default(),
                memory: MemoryTurn {
                    next: Instant::now(),
                },
            })),
        }
    }

    async fn run(&mut self, moment: SampleKind) {
        // /proc is read on a blocking thread.
        let Some(mut shared) = self.shared.take() else {
            return;
        };
        let done = tokio::task::spawn_blocking(move || {
            shared.take_sample(moment);
            shared
        });
        self.shared = done.await.ok();
    }
}

impl Probe for Processes {
    async fn begin(&mut self) {
        self.run(SampleKind::During).await;
    }

    async fn take_sample(&mut self) {
        self.run(SampleKind::During).await;
    }

    async fn finish(&mut self, fresh: bool) {
        self.run(SampleKind::Last { fresh }).await;
    }
}

impl Shared {
    fn take_sample(&mut self, moment: SampleKind) {
        let rates = moment != SampleKind::Last { fresh: true };
        if rates {
            self.sample_machine();
        }
        let needs_all = |watched: &Watched| {
            matches!(
                watched.target,
                ProcessTarget::Postgres | ProcessTarget::Name(_)
            )
        };
        let all = match self.watched.iter().any(needs_all) {
            true => stat::read_all(),
            false => Vec::new(),
        };
        let memory_due = moment != SampleKind::During || Instant::now() >= self.memory.next;
        let mut cost = Duration::ZERO;
        for place in 0..self.watched.len() {
            if let Err(reason) = self.find(place, &all) {
                let watched = &mut self.watched[place];
                if watched.asked {
                    watched.health.failed(reason);
                }
                continue;
            }
            let began = Instant::now();
            let watched = &mut self.watched[place];
            watched.take_sample(&self.recorder, &all, rates, memory_due);
            cost += began.elapsed();
        }
        if memory_due {
            let pause = (cost * MEMORY_COST).max(MEMORY_EVERY);
            self.memory.next = Instant::now() + pause;
        }
    }

    fn sample_machine(&mut self) {
        let at = Instant::now();
        if let Some(seconds) = crate::machine::processor_s()
            && let Some(share) = self.machine.sum(at, seconds)
        {
            self.recorder.value(at, "machine", "cpu", "%", share);
        }
        if let Some(used) = crate::machine::memory_used_mb() {
            self.recorder.value(at, "machine", "memory", "MB", used);
        }
    }

    /// Makes sure that the process is known, or looks it up again.
    fn find(&mut self, place: usize, all: &[Stat]) -> Result<(), String> {
        if let Some(found) = &self.watched[place].found {
            if found.is_alive() {
                return Ok(());
            }
            self.watched[place].found = None;
            self.watched[place].meter.forget();
            if self.watched[place].asked {
                let gone = "the process is gone; what comes in its place is looked for";
                self.watched[place].health.failed(gone);
            }
        }
        let found = self.resolve(&self.watched[place].target.clone(), all)?;
        let watched = &mut self.watched[place];
        watched.health.works();
        if let Some(name) = found.name(all) {
            let line = format!("process {}", watched.target);
            self.recorder.infrastructure(&line, name);
        }
        watched.found = Some(found);
        Ok(())
    }

    fn resolve(&self, target: &ProcessTarget, all: &[Stat]) -> Result<ProcessMatch, String> {
        let one = |stat: Stat| ProcessMatch::One {
            pid: stat.pid,
            started: stat.started,
        };
        let message = |error: FindError| error.to_string();
        match target {
            ProcessTarget::Server => self.server().map(one).map_err(message),
            ProcessTarget::Postgres => {
                let server = self.server().ok().map(|stat| stat.pid);
                let found = find::postmaster(all, server, &(self.known)()).map_err(message)?;
                Ok(ProcessMatch::Family {
                    pid: found.pid,
                    started: found.started,
                })
            }
            ProcessTarget::Pid(pid) => {
                let found = stat::read(*pid).filter(|stat| !stat.ended);
                let missing = || message(FindError::NoProcess(*pid));
                found.map(one).ok_or_else(missing)
            }
            ProcessTarget::Port(port) => find::listener(*port).map(one).map_err(message),
            ProcessTarget::NameAtPort(name, port) => {
                let found = find::listener(*port).map_err(message)?;
                match found.name == *name {
                    true => Ok(one(found)),
                    false => Err(message(FindError::OtherName {
                        port: *port,
                        name: name.clone(),
                        other: found.name,
                    })),
                }
            }
            ProcessTarget::Name(name) => match all.iter().any(|stat| stat.name == *name) {
                true => Ok(ProcessMatch::Name(name.clone())),
                false => Err(message(FindError::NoName(name.clone()))),
            },
            ProcessTarget::Cgroup(path) => {
                let found = Group::find(path).map_err(|error| error.to_string())?;
                Ok(ProcessMatch::Group(found))
            }
        }
    }

    fn server(&self) -> Result<Stat, FindError> {
        let url = self.target.as_deref().ok_or(FindError::NoTarget)?;
        find::listener(find::local_port(url)?)
    }
}

impl ProcessMatch {
    fn is_alive(&self) -> bool {
        match self {
            Self::One { pid, started } | Self::Family { pid, started } => {
                let alive = |stat: Stat| stat.started == *started && !stat.ended;
                stat::read(*pid).is_some_and(alive)
            }
            Self::Name(_) => true,
            Self::Group(group) => group.processor_s().is_some(),
        }
    }

    fn name(&self, all: &[Stat]) -> Option<String> {
        match self {
            Self::One { pid, .. } => Some(format!("{} (pid {pid})", stat::read(*pid)?.name)),
            Self::Family { pid, .. } => {
                let count = find::family(all, *pid).len();
                Some(format!("pid {pid} with all below it, {count} processes"))
            }
            Self::Name(name) => {
                let count = all.iter().filter(|stat| stat.name == *name).count();
                Some(format!("all of this name, {count} processes"))
            }
            Self::Group(_) => None,
        }
    }
}

impl Watched {
    fn take_sample(&mut self, recorder: &Recorder, all: &[Stat], rates: bool, memory_due: bool) {
        let source = self.target.to_string();
        let at = Instant::now();
        let (share, pids) = match &self.found {
            None => return,
            Some(ProcessMatch::Group(group)) => {
                let seconds = group.processor_s();
                let share = seconds.and_then(|seconds| self.meter.sum(at, seconds));
                if let Some(memory) = group.memory_mb() {
                    recorder.value(at, &source, "memory", "MB", memory);
                }
                (share, Vec::new())
            }
            Some(ProcessMatch::One { pid, .. }) => match stat::read(*pid) {
                Some(stat) => (self.meter.processes(at, [&stat]), vec![*pid]),
                None => return,
            },
            Some(ProcessMatch::Family { pid, .. }) => {
                let members = find::family(all, *pid);
                let pids = members.iter().map(|stat| stat.pid).collect();
                (self.meter.family(at, &members), pids)
            }
            Some(ProcessMatch::Name(name)) => {
                let named: Vec<&Stat> = all.iter().filter(|stat| stat.name == *name).collect();
                if named.is_empty() {
                    self.health.failed("no such process runs any more");
                } else {
                    self.health.works();
                }
                let pids = named.iter().map(|stat| stat.pid).collect();
                (self.meter.processes(at, named), pids)
            }
        };
        if let Some(share) = share.filter(|_| rates) {
            recorder.value(at, &source, "cpu", "%", share);
        }
        if !pids.is_empty() {
            self.sample_memory(recorder, &source, &pids, memory_due);
        }
    }

    fn sample_memory(&mut self, recorder: &Recorder, source: &str, pids: &[i32], due: bool) {
        let manner = *self.manner.get_or_insert_with(|| {
            let readable = pids.iter().all(|pid| stat::proportional_kb(*pid).is_some());
            let (manner, words) = match (readable, pids.len()) {
                (true, _) => (MemoryMeasure::Proportional, "proportional set size (PSS)"),
                (false, 1) => (MemoryMeasure::Resident, "resident set size (RSS)"),
                (false, _) => (
                    MemoryMeasure::Resident,
                    "resident set size (RSS), shared pages once",
                ),
            };
            recorder.infrastructure(&format!("memory of {source}"), words);
            manner
        });
        let at = Instant::now();
        let kilobytes = match manner {
            MemoryMeasure::Proportional if !due => return,
            MemoryMeasure::Proportional => {
                let shares: Vec<u64> = pids
                    .iter()
                    .filter_map(|pid| stat::proportional_kb(*pid))
                    .collect();
                if shares.is_empty() {
                    return;
                }
                shares.iter().sum::<u64>()
            }
            MemoryMeasure::Resident => {
                let held: Vec<_> = pids.iter().filter_map(|pid| stat::resident(*pid)).collect();
                let alone: u64 = held
                    .iter()
                    .map(|one| one.all.saturating_sub(one.shared))
                    .sum();
                let Some(shared) = held.iter().map(|one| one.shared).max() else {
                    return;
                };
                alone + shared
            }
        };
        recorder.value(at, source, "memory", "MB", kilobytes as f64 * 1024.0 / 1e6);
    }
}
