//! The workers of this process: few for each queue of a tenant, however many jobs there are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use octavo_boxed::boxed;
use octavo_records::{Store, StoreError, Tenant, retried};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use crate::portion;
use crate::queue::Queue;
use crate::room::Room;
use crate::store;
use crate::work::Work;

/// A worker ends after this time; a timer begins the next.
pub const RUN_MAX: Duration = Duration::from_secs(600);
/// When the process stops, the portions at work have so long to be finished,
const GRACE: Duration = Duration::from_secs(2);
/// and those that are not so long to note that they were broken off.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The workers of a process. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Workers {
    shared: Arc<Shared>,
    runtime: Option<Handle>,
}

/// A tenant's id and the name of its queue.
type Owner = (String, &'static str);

#[derive(Debug)]
struct Shared {
    standing: Mutex<HashMap<Owner, Standing>>,
    /// The portions that may be at work, by queue. Whoever waits longest is next, so that tenants take turns.
    places: Mutex<HashMap<&'static str, Arc<Semaphore>>>,
    stopping: watch::Sender<bool>,
    /// How many runs are under way.
    running: watch::Sender<usize>,
    room: Room,
}

impl Default for Shared {
    fn default() -> Shared {
        Shared {
            standing: Mutex::default(),
            places: Mutex::default(),
            stopping: watch::Sender::new(false),
            running: watch::Sender::new(0),
            room: Room::default(),
        }
    }
}

/// How many workers of a queue run here, and whether more has come since the last looked.
#[derive(Debug, Default)]
struct Standing {
    workers: usize,
    is_more: bool,
}

impl Workers {
    /// Workers on a runtime of their own: between two statements a portion works for milliseconds, for which a thread
    /// that serves requests would leave all of them waiting. Others work where they are begun.
    #[must_use]
    pub fn on(runtime: Handle) -> Workers {
        Workers {
            runtime: Some(runtime),
            ..Workers::default()
        }
    }

    /// The runtime for background work.
    #[must_use]
    pub fn runtime(&self) -> Handle {
        self.runtime.clone().unwrap_or_else(Handle::current)
    }

    /// The room that background work leaves to requests.
    #[must_use]
    pub fn room(&self) -> &Room {
        &self.shared.room
    }

    /// Has the tenant's jobs of a queue done in the background: by another worker, or where there are enough by
    /// one of those, which looks once more. Returns at once; nothing is lost when nobody calls it, for a timer
    /// of the area does too.
    pub fn begin(&self, store: &Store, tenant: &Tenant, work: Arc<dyn Work>) {
        let queue = work.queue();
        let (workers, store) = (self.clone(), store.clone());
        let owner = tenant.clone();
        self.spawn(tenant, queue.name, queue.workers, move || {
            let (workers, store, work) = (workers.clone(), store.clone(), Arc::clone(&work));
            let tenant = owner.clone();
            async move { workers.run(&store, &tenant, &*work).await.map(drop) }
        });
    }

    /// Runs something in the background, unless `most` workers of this name are at it for the tenant: one of
    /// them runs it once more. It does what there is, and fails when the database does not answer.
    pub fn spawn<F>(
        &self,
        tenant: &Tenant,
        name: &'static str,
        most: usize,
        run: impl Fn() -> F + Send + 'static,
    ) where
        F: Future<Output = Result<(), StoreError>> + Send + 'static,
    {
        if self.is_stopping() {
            return;
        }
        let owner = (tenant.id().to_owned(), name);
        let Some(mut place) = WorkerPlace::take(&self.shared, owner, most) else {
            return;
        };
        let tenant = tenant.clone();
        self.runtime().spawn(async move {
            loop {
                if let Err(error) = run().await {
                    tracing::warn!(tenant = tenant.id(), queue = name, %error, "background work is interrupted; the timer goes on with it");
                    return;
                }
                if !place.is_wanted_again() {
                    return;
                }
            }
        });
    }

    /// Does the tenant's jobs until there are none that this process can have; gives how many portions it began.
    ///
    /// # Errors
    /// When the database does not answer; what was done before is kept.
    #[boxed]
    pub async fn run(
        &self,
        store: &Store,
        tenant: &Tenant,
        work: &dyn Work,
    ) -> Result<usize, StoreError> {
        self.run_at_most(store, tenant, work, usize::MAX).await
    }

    /// The same for so many portions at most.
    ///
    /// # Errors
    /// As [`Workers::run`].
    #[boxed]
    pub async fn run_at_most(
        &self,
        store: &Store,
        tenant: &Tenant,
        work: &dyn Work,
        most: usize,
    ) -> Result<usize, StoreError> {
        let queue = work.queue();
        let mut portions = 0;
        if !store::is_any(&store.database, tenant, queue).await? {
            return Ok(portions);
        }
        let _running = Running::new(&self.shared);
        let (places, started) = (self.places(queue), Instant::now());
        while portions < most && started.elapsed() < RUN_MAX {
            let place = places.acquire().await;
            let place = place.map_err(|error| StoreError::fault(error))?;
            if self.is_stopping() {
                break;
            }
            let portion = || {
                let beside = self.room().is_wanted();
                portion::next(store, tenant, work, beside, self.interrupted())
            };
            let more = match work.is_prompt() {
                true => retried(portion).await?,
                false => self.room().portion(retried(portion)).await?,
            };
            if !more {
                break;
            }
            drop(place);
            portions += 1;
            if !queue.pause.is_zero() {
                tokio::time::sleep(queue.pause).await;
            }
        }
        Ok(portions)
    }

    /// Begins no more portions, and waits for those at work. One that takes longer than a moment is broken off,
    /// which its job does not pay for.
    pub async fn stop(&self) {
        self.shared.stopping.send_replace(true);
        let mut running = self.shared.running.subscribe();
        let ended = running.wait_for(|running| *running == 0);
        if tokio::time::timeout(GRACE + LAST_WORDS, ended)
            .await
            .is_err()
        {
            tracing::warn!("background work was not broken off in time");
        }
    }

    fn is_stopping(&self) -> bool {
        *self.shared.stopping.borrow()
    }

    /// Ends some time after the process was asked to stop.
    async fn interrupted(&self) {
        let mut stopping = self.shared.stopping.subscribe();
        if stopping.wait_for(|stopping| *stopping).await.is_err() {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(GRACE).await;
    }

    fn places(&self, queue: &Queue) -> Arc<Semaphore> {
        let mut places = self
            .shared
            .places
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let made = || Arc::new(Semaphore::new(queue.portions));
        Arc::clone(places.entry(queue.name).or_insert_with(made))
    }
}

/// A run under way, until it is dropped.
struct Running(Arc<Shared>);

impl Running {
    fn new(shared: &Arc<Shared>) -> Running {
        shared.running.send_modify(|running| *running += 1);
        Running(Arc::clone(shared))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.send_modify(|running| *running -= 1);
    }
}

/// A place among the workers; free again when it is dropped, however the worker ends.
struct WorkerPlace {
    shared: Arc<Shared>,
    owner: Owner,
    is_free: bool,
}

impl WorkerPlace {
    fn take(shared: &Arc<Shared>, owner: Owner, most: usize) -> Option<WorkerPlace> {
        let mut all = shared
            .standing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let standing = all.entry(owner.clone()).or_default();
        if standing.workers >= most {
            standing.is_more = true;
            return None;
        }
        standing.workers += 1;
        Some(WorkerPlace {
            shared: Arc::clone(shared),
            owner,
            is_free: false,
        })
    }

    /// Whether more has come meanwhile. If not, the place is free from this moment on.
    fn is_wanted_again(&mut self) -> bool {
        let shared = Arc::clone(&self.shared);
        let mut all = shared
            .standing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(standing) = all.get_mut(&self.owner)
            && std::mem::take(&mut standing.is_more)
        {
            return true;
        }
        leave(&mut all, &self.owner);
        self.is_free = true;
        false
    }
}

impl Drop for WorkerPlace {
    fn drop(&mut self) {
        // Once it is free it may be another's.
        if !self.is_free {
            let mut all = self
                .shared
                .standing
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            leave(&mut all, &self.owner);
        }
    }
}

fn leave(all: &mut HashMap<Owner, Standing>, owner: &Owner) {
    if let Some(standing) = all.get_mut(owner) {
        standing.workers = standing.workers.saturating_sub(1);
        if standing.workers == 0 {
            all.remove(owner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_has_few_workers_and_none_leaves_while_there_is_more() {
        let shared = Arc::new(Shared::default());
        let take = |tenant: &str, queue| WorkerPlace::take(&shared, (tenant.to_owned(), queue), 2);
        let mut first = take("diku", "exports").unwrap();
        let second = take("diku", "exports").unwrap();
        assert!(take("diku", "exports").is_none());
        assert!(take("diku", "imports").is_some());
        assert!(take("another", "exports").is_some());
        assert!(first.is_wanted_again(), "the third is done by the first");
        assert!(!first.is_wanted_again());
        drop(second);
        drop(first);
        assert!(shared.standing.lock().unwrap().is_empty());
    }
}
