//! Runs timers when they are due, each in only one of the processes.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError};
use octavo_trace::RequestSpan;
use serde_json::Value;
use tokio::task::JoinSet;

use super::store::{self, TimerRow};
use crate::call::system::call_native;
use crate::platform::Platform;
use crate::registry::descriptor::RoutingEntry;
use crate::registry::module_id::ModuleId;
use crate::registry::{ModuleDescriptor, Registry, State, TenantView, schedule};

/// The most timers that one process runs at the same time, to leave capacity for requests.
const AT_ONCE: usize = 4;
/// The longest interval between two checks for due timers.
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// The shortest interval between two checks.
const CHECK_EVERY_LEAST: Duration = Duration::from_millis(50);
/// How often a lease is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(10);
/// A timer that runs longer is aborted.
const RUN_MAX: Duration = Duration::from_secs(3_600);

/// A timer and its state.
#[derive(Debug, Clone)]
pub struct TimerState {
    /// Product and number, `mod-users_0`.
    pub id: String,
    pub module: Arc<ModuleDescriptor>,
    /// Path and schedule; the operator's schedule replaces the module's.
    pub entry: RoutingEntry,
    /// Whether an operator changed its schedule.
    pub modified: bool,
    /// The state of its runs in the database.
    pub row: TimerRow,
}

/// The timers of a tenant's modules, with the schedules of their descriptors.
pub(crate) fn declared(
    view: &TenantView,
) -> impl Iterator<Item = (String, &Arc<ModuleDescriptor>, &RoutingEntry)> {
    view.enabled.values().flat_map(|module| {
        let entries = module
            .system("_timer")
            .into_iter()
            .flat_map(|one| one.handlers());
        let product = module.product();
        entries
            .enumerate()
            .map(move |(at, entry)| (format!("{product}_{at}"), module, entry))
    })
}

/// A timer with the schedule of its module's descriptor.
pub(crate) fn declared_entry(view: &TenantView, id: &str) -> Option<RoutingEntry> {
    let mut timers = declared(view);
    timers
        .find(|(one, _, _)| one == id)
        .map(|(_, _, entry)| entry.clone())
}

#[boxed]
pub async fn timers_of(
    database: &Database,
    view: &TenantView,
) -> Result<Vec<TimerState>, DatabaseError> {
    let rows = store::of_tenant(database, view.tenant.id()).await?;
    let timers = declared(view).map(|(id, module, entry)| {
        let row = rows
            .iter()
            .find(|row| row.id == id)
            .cloned()
            .unwrap_or_default();
        TimerState {
            module: Arc::clone(module),
            entry: patched(entry, row.patch.as_ref()),
            modified: row.patch.is_some(),
            row,
            id,
        }
    });
    Ok(timers.collect())
}

/// An entry with an operator's schedule in place of its own.
pub(crate) fn patched(entry: &RoutingEntry, patch: Option<&Value>) -> RoutingEntry {
    let mut entry = entry.clone();
    let times = patch.and_then(|patch| serde_json::from_value::<RoutingEntry>(patch.clone()).ok());
    if let Some(times) = times {
        entry.unit = times.unit;
        entry.delay = times.delay;
        entry.schedule = times.schedule;
    }
    entry
}

/// Runs due timers for as long as the process lives.
#[boxed]
pub async fn run(platform: Arc<Platform>) {
    let mut known = KnownTimers::default();
    let mut running = JoinSet::new();
    loop {
        while running.try_join_next().is_some() {}
        let wait = match round(&platform, &mut known, &mut running).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::debug!(%error, "due timers cannot be read; trying again in a moment");
                CHECK_EVERY
            }
        };
        tokio::time::sleep(wait).await;
    }
}

async fn round(
    platform: &Arc<Platform>,
    known: &mut KnownTimers,
    running: &mut JoinSet<()>,
) -> Result<Duration, DatabaseError> {
    let database = &platform.store.database;
    add_new(&platform.registry, database, known).await?;
    let room = AT_ONCE.saturating_sub(running.len());
    if room > 0 {
        for due in store::claim(database, room as i64).await? {
            let span = RequestSpan::timer(&due.id, &due.tenant);
            running.spawn(span.run(run_one(Arc::clone(platform), due)));
        }
    }
    let now = Timestamp::now();
    let wait = store::earliest(database)
        .await?
        .map(|next| next.duration_since(now));
    let wait = wait.map_or(CHECK_EVERY, |wait| {
        Duration::try_from(wait).unwrap_or_default()
    });
    Ok(wait.clamp(CHECK_EVERY_LEAST, CHECK_EVERY))
}

/// The timers that have been added to the table, by tenant and id.
#[derive(Default)]
struct KnownTimers {
    timers: HashSet<(String, String)>,
    /// The registry's state at that time: as long as it is the same, there are no new timers.
    state: Option<Arc<State>>,
}

/// Adds the timers of modules enabled since the last check.
async fn add_new(
    registry: &Registry,
    database: &Database,
    known: &mut KnownTimers,
) -> Result<(), DatabaseError> {
    let state: Arc<State> = registry.state();
    let seen = known.state.as_ref();
    if seen.is_some_and(|seen| Arc::ptr_eq(seen, &state)) {
        return Ok(());
    }
    let now = Timestamp::now();
    let mut current = HashSet::new();
    let mut new = Vec::new();
    for view in state.tenants.values() {
        for (id, _, entry) in declared(view) {
            let key = (view.tenant.id().to_owned(), id);
            if !known.timers.contains(&key) {
                new.push((key.0.clone(), key.1.clone(), schedule::next(entry, now)));
            }
            current.insert(key);
        }
    }
    if !new.is_empty() {
        store::add(database, &new).await?;
    }
    *known = KnownTimers {
        timers: current,
        state: Some(state),
    };
    Ok(())
}

async fn run_one(platform: Arc<Platform>, due: TimerRow) {
    let database = &platform.store.database;
    let found = platform.registry.known(&due.tenant).and_then(|view| {
        let found = declared(&view).find(|(id, _, _)| *id == due.id);
        found
            .map(|(_, module, entry)| (Arc::clone(module), patched(entry, due.patch.as_ref())))
            .map(|(module, entry)| (view, module, entry))
    });
    let Some((view, module, entry)) = found else {
        // Its module was disabled, or has no such timer any more.
        log_failure(store::remove(database, &due.tenant, &due.id).await);
        return;
    };
    let started = Instant::now();
    let work = perform(&platform, &view, &module, &entry, &due.id);
    let outcome = with_renewed_lease(database, &due, work).await;
    let seconds = started.elapsed().as_secs_f64();
    let error = outcome.as_ref().err().map(String::as_str);
    match error {
        None => tracing::debug!(seconds, "timer ran"),
        Some(error) => tracing::warn!(seconds, error, "timer failed"),
    }
    let next = schedule::next(&entry, Timestamp::now());
    log_failure(store::finish(database, &due, next, seconds, error).await);
}

async fn perform(
    platform: &Arc<Platform>,
    view: &Arc<TenantView>,
    module: &ModuleDescriptor,
    entry: &RoutingEntry,
    id: &str,
) -> Result<(), String> {
    if module.native {
        let number = id
            .rsplit_once('_')
            .and_then(|(_, number)| number.parse::<usize>().ok());
        let product = ModuleId::product_of(&module.id);
        let declared = platform
            .registry
            .modules
            .iter()
            .find(|one| one.name == product);
        let timer = declared
            .zip(number)
            .and_then(|(one, number)| one.timers.get(number));
        let timer = timer.ok_or("the module has no such timer any more")?;
        return call_native(platform, view, &timer.handler).await;
    }
    let method = entry
        .methods
        .iter()
        .flatten()
        .next()
        .map_or("POST", String::as_str);
    let path = entry.static_path();
    let remotes = &platform.remotes;
    let calling = remotes.call_without_user(view, module, entry, method, path, None);
    let answer = calling.await?;
    if answer.status.is_success() {
        return Ok(());
    }
    Err(format!("{method} {path} answered {}", answer.status))
}

/// Does the work while renewing the lease.
async fn with_renewed_lease(
    database: &Database,
    due: &TimerRow,
    work: impl Future<Output = Result<(), String>>,
) -> Result<(), String> {
    let mut work = std::pin::pin!(tokio::time::timeout(RUN_MAX, work));
    loop {
        tokio::select! {
            outcome = &mut work => {
                return outcome.unwrap_or_else(|_| Err("it ran for more than an hour".to_owned()));
            }
            () = tokio::time::sleep(RENEW_EVERY) => {
                log_failure(store::renew(database, &due.tenant, &due.id).await);
            }
        }
    }
}

fn log_failure(outcome: Result<(), DatabaseError>) {
    if let Err(error) = outcome {
        tracing::warn!(%error, "a timer's state cannot be stored");
    }
}
