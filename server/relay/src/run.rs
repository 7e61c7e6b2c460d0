//! The relay of a process: waits for the lease, and while it is held passes the events of all tenants on.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use octavo_records::Tenant;
use octavo_records::store::{Backlog, backlog, index_events};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::Instant;
use uuid::Uuid;

use crate::lease::{Lease, LeaseTimes};
use crate::pump::{KAFKA, Parts, Pump, PumpError};
use crate::store::topics::purges;
use crate::store::{self, state};
use crate::upkeep;

/// How often a process without the lease asks for it.
const ASK_EVERY: Duration = Duration::from_secs(2);
/// How often the tenants are looked at for new events, while there are some and while there are none. Each look
/// costs two reads and an acknowledgement, however few events it finds: more often would take from the desk what an
/// event gains.
const LOOK_EVERY: (Duration, Duration) = (Duration::from_millis(40), Duration::from_millis(80));
/// After an event its tenant is looked at for so long at each look: transactions that were open may commit.
const ATTENTION: Duration = Duration::from_secs(3);
/// And every tenant at least so often, for transactions that were open for longer.
const ROUND_EVERY: Duration = Duration::from_secs(10);
/// How often the list of tenants, their topics and what was purged are compared.
const COMPARE_EVERY: Duration = Duration::from_secs(1);
/// How often the backlog is counted, and how far.
const COUNT_EVERY: Duration = Duration::from_secs(10);
const COUNTED_MAX: i64 = 100_000;
/// So long a tenant is passed on without the index.
const UNINDEXED_MAX: Duration = Duration::from_secs(60);
/// After so many portions of a tenant another one has its turn.
const PORTIONS_MAX: usize = 25;
/// Tenants that are passed on at the same time, which limits memory.
const AT_ONCE: usize = 16;

/// A tenant whose events are passed on, with the names of its modules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscriber {
    pub tenant: Tenant,
    pub modules: Vec<String>,
}

/// Where the list of tenants comes from.
pub type Subscribers = Arc<dyn Fn() -> Vec<Subscriber> + Send + Sync>;

/// A relay at work.
#[derive(Debug)]
pub struct Relay {
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

impl Relay {
    /// Begins.
    #[must_use]
    pub fn begin(parts: Parts, subscribers: Subscribers, times: LeaseTimes) -> Relay {
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(run(parts, subscribers, times, stopped));
        Relay { stop, task }
    }

    /// Ends, and gives the lease back. What is on its way and not acknowledged is sent again by whoever
    /// goes on.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        if let Err(error) = self.task.await {
            tracing::debug!(%error, "the relay had ended before");
        }
    }

    /// Ends as a process that is killed: nothing is given back.
    pub fn kill(self) {
        self.task.abort();
    }
}

async fn run(
    parts: Parts,
    subscribers: Subscribers,
    times: LeaseTimes,
    mut stop: watch::Receiver<bool>,
) {
    let holder = Uuid::new_v4();
    let database = parts.store.database.clone();
    while let Err(error) = store::prepare(&database).await {
        tracing::warn!(%error, "the relay's tables cannot be made; trying again");
        if stopped_within(&mut stop, ASK_EVERY).await {
            return;
        }
    }
    loop {
        match Lease::take(&database, KAFKA, holder, times).await {
            Ok(Some(lease)) => {
                tracing::info!("this process relays events");
                parts.status.taken.fetch_add(1, Ordering::Relaxed);
                parts.status.leading.store(true, Ordering::Relaxed);
                // A statement may wait on a line that is cut for longer than the lease is held.
                let ended = tokio::select! {
                    ended = lead(&parts, &subscribers, &lease, &mut stop) => ended,
                    () = lease.lost() => false,
                };
                parts.status.leading.store(false, Ordering::Relaxed);
                lease.release().await;
                if ended {
                    return;
                }
                tracing::warn!("this process does not relay events any more");
            }
            Ok(None) => {}
            Err(error) => tracing::debug!(%error, "the relay's lease cannot be asked for"),
        }
        if stopped_within(&mut stop, ASK_EVERY.min(times.extend_every)).await {
            return;
        }
    }
}

/// Whether the relay is told to stop within a time.
async fn stopped_within(stop: &mut watch::Receiver<bool>, time: Duration) -> bool {
    let stopped = tokio::time::timeout(time, stop.wait_for(|stop| *stop)).await;
    // Nobody can stop it who is gone.
    stopped.is_ok()
}

/// Relays until the lease is lost; gives true when told to stop.
async fn lead(
    parts: &Parts,
    subscribers: &Subscribers,
    lease: &Arc<Lease>,
    stop: &mut watch::Receiver<bool>,
) -> bool {
    let mut leading = Leading {
        parts,
        lease,
        room: Arc::new(Semaphore::new(AT_ONCE)),
        pumps: HashMap::new(),
        tasks: JoinSet::new(),
        upkeep: JoinSet::new(),
        purging: HashSet::new(),
        made_for: Vec::new(),
    };
    let (mut compared, mut counted): (Option<Instant>, _) = (None, Instant::now());
    loop {
        if compared.is_none_or(|at| at.elapsed() >= COMPARE_EVERY) {
            leading.compare(subscribers()).await;
            compared = Some(Instant::now());
        }
        if counted.elapsed() >= COUNT_EVERY {
            leading.count();
            counted = Instant::now();
        }
        leading.look().await;
        if leading.reap() || !lease.is_held() {
            return false;
        }
        let pause = leading.pause();
        if stopped_within(stop, pause).await {
            return true;
        }
    }
}

/// The pump of a tenant, seen from outside.
struct Standing {
    tenant: Tenant,
    wake: Arc<Notify>,
    abort: AbortHandle,
    last: i64,
    moved: Instant,
    woken: Instant,
}

struct Leading<'a> {
    parts: &'a Parts,
    lease: &'a Arc<Lease>,
    room: Arc<Semaphore>,
    pumps: HashMap<String, Standing>,
    /// Each gives the id of its tenant.
    tasks: JoinSet<(String, Result<(), PumpError>)>,
    /// Makes and removes topics: the broker may be away, and what can be sent is sent meanwhile.
    upkeep: JoinSet<Option<Vec<Subscriber>>>,
    /// Tenants whose topics are being removed.
    purging: HashSet<String>,
    /// The tenants and modules whose topics are made.
    made_for: Vec<Subscriber>,
}

impl Leading<'_> {
    /// Begins with new tenants, ends with deleted ones, makes and removes topics.
    async fn compare(&mut self, subscribers: Vec<Subscriber>) {
        match purges(&self.parts.store.database).await {
            Ok(purges) => {
                self.purging = purges.iter().map(|purge| purge.tenant.clone()).collect();
                while let Some(Ok(made)) = self.upkeep.try_join_next() {
                    self.made_for = made.unwrap_or_default();
                }
                let wanted = !purges.is_empty() || self.made_for != subscribers;
                if self.upkeep.is_empty() && wanted {
                    let (parts, subscribers) = (self.parts.clone(), subscribers.clone());
                    self.upkeep.spawn(async move {
                        let kept = async {
                            upkeep::remove_purged(&parts, &purges).await?;
                            upkeep::make(&parts, &subscribers).await
                        };
                        let kept = kept.await;
                        let problem = kept.as_ref().err().map(ToString::to_string);
                        parts.status.trouble_with_topics(problem);
                        match kept {
                            Ok(()) => Some(subscribers),
                            Err(error) => {
                                tracing::warn!(%error, "topics cannot be made or removed; trying again");
                                tokio::time::sleep(ASK_EVERY).await;
                                None
                            }
                        }
                    });
                }
            }
            Err(error) => tracing::debug!(%error, "purged modules cannot be read"),
        }
        let purging = &self.purging;
        let listed: HashSet<&str> = subscribers
            .iter()
            .map(|one| one.tenant.id())
            .filter(|id| !purging.contains(*id))
            .collect();
        // What an ended pump had sent and not acknowledged is sent again, where there is still something.
        self.pumps.retain(|id, standing| {
            let stays = listed.contains(id.as_str());
            if !stays {
                standing.abort.abort();
            }
            stays
        });
        for subscriber in &subscribers {
            let id = subscriber.tenant.id();
            if listed.contains(id) && !self.pumps.contains_key(id) {
                self.begin(subscriber.tenant.clone());
            }
        }
    }

    fn begin(&mut self, tenant: Tenant) {
        let wake = Arc::new(Notify::new());
        let pumping = pump(
            self.parts.clone(),
            tenant.clone(),
            Arc::clone(self.lease),
            Arc::clone(&wake),
            Arc::clone(&self.room),
        );
        let id = tenant.id().to_owned();
        let abort = self.tasks.spawn(async move { (id, pumping.await) });
        let standing = Standing {
            wake,
            abort,
            last: 0,
            moved: Instant::now(),
            woken: Instant::now(),
            tenant,
        };
        self.pumps.insert(standing.tenant.id().to_owned(), standing);
    }

    /// Wakes the pumps of tenants that may have new events.
    async fn look(&mut self) {
        let schemas: Vec<String> = self
            .pumps
            .values()
            .map(|one| one.tenant.schema().to_owned())
            .collect();
        let positions = match state::positions(&self.parts.store.database, &schemas).await {
            Ok(positions) => positions,
            Err(error) => {
                tracing::debug!(%error, "positions of events cannot be read");
                return;
            }
        };
        let now = Instant::now();
        let positions: HashMap<String, i64> = positions.into_iter().collect();
        for standing in self.pumps.values_mut() {
            let last = positions.get(standing.tenant.schema()).copied();
            if let Some(last) = last.filter(|last| *last != standing.last) {
                standing.last = last;
                standing.moved = now;
            }
            if now - standing.moved < ATTENTION || now - standing.woken > ROUND_EVERY {
                standing.woken = now;
                standing.wake.notify_one();
            }
        }
    }

    /// Takes note of pumps that have ended; gives true when the lease is lost.
    fn reap(&mut self) -> bool {
        while let Some(ended) = self.tasks.try_join_next() {
            match ended {
                Ok((_, Err(PumpError::Lost))) => return true,
                Ok((id, Err(PumpError::Store(error)))) => {
                    tracing::debug!(tenant = id, %error, "the events of a tenant cannot be passed on; trying again");
                    self.pumps.remove(&id);
                }
                Ok((id, Ok(()))) => {
                    self.pumps.remove(&id);
                }
                Err(error) if error.is_cancelled() => {}
                Err(error) => {
                    tracing::error!(%error, "the relay of a tenant panicked");
                    let tasks = &self.pumps;
                    let dead: Vec<String> = tasks
                        .iter()
                        .filter(|(_, one)| one.abort.is_finished())
                        .map(|(id, _)| id.clone())
                        .collect();
                    for id in dead {
                        self.pumps.remove(&id);
                    }
                }
            }
        }
        false
    }

    fn pause(&self) -> Duration {
        let busy = |one: &Standing| one.moved.elapsed() < ATTENTION;
        match self.pumps.values().any(busy) {
            true => LOOK_EVERY.0,
            false => LOOK_EVERY.1,
        }
    }

    /// Counts what is unsent, beside the work.
    fn count(&self) {
        let tenants: Vec<Tenant> = self.pumps.values().map(|one| one.tenant.clone()).collect();
        let parts = self.parts.clone();
        tokio::spawn(async move {
            let database = &parts.store.database;
            let mut backlogs: HashMap<String, Backlog> = HashMap::new();
            for tenant in tenants {
                let Ok(Some(sent)) = state::read(database, &tenant, KAFKA).await else {
                    continue;
                };
                if let Ok(one) = backlog(database, &tenant, &sent.cursor, COUNTED_MAX).await {
                    backlogs.insert(tenant.id().to_owned(), one);
                }
            }
            parts.status.set_backlogs(backlogs);
        });
    }
}

/// Passes the events of a tenant on for as long as it is polled; without the index only for a while, after which
/// it is begun anew and looks for the index again.
async fn pump(
    parts: Parts,
    tenant: Tenant,
    lease: Arc<Lease>,
    wake: Arc<Notify>,
    room: Arc<Semaphore>,
) -> Result<(), PumpError> {
    let database = &parts.store.database;
    let indexed = index_events(database, &tenant).await;
    let indexed = match indexed {
        Ok(indexed) => indexed,
        Err(error) => {
            tracing::debug!(tenant = tenant.id(), %error, "the index of events is not made; trying again");
            tokio::time::sleep(ASK_EVERY).await;
            return Ok(());
        }
    };
    let begun = Instant::now();
    let cursor = state::begin(database, &tenant, KAFKA).await?;
    let mut pump = Pump::new(parts, tenant, cursor);
    loop {
        let place = room.acquire().await;
        let is_more = pump.drain(&lease, PORTIONS_MAX).await?;
        drop(place);
        if !indexed && begun.elapsed() > UNINDEXED_MAX {
            return Ok(());
        }
        if !is_more {
            wake.notified().await;
        }
    }
}
