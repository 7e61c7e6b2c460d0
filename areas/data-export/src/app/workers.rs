//! The workers of this process: a few for each tenant, however many exports start.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use octavo_records::{Store, Tenant};

use super::work::work;

/// Workers of one tenant: while one lists all of a library, the other continues with smaller jobs.
const OF_TENANT: usize = 2;

/// The owner of workers: the store's catalogue, which is unique to a platform, and the tenant.
type Owner = (usize, String);

/// The number of running workers of a tenant, and whether new jobs arrived since the last check.
#[derive(Debug, Default)]
struct Standing {
    workers: usize,
    is_more: bool,
}

static RUNNING: LazyLock<Mutex<HashMap<Owner, Standing>>> = LazyLock::new(Mutex::default);

/// Starts a worker for the tenant's jobs, or if there are enough, makes one of them check again. Returns
/// at once; it is only an acceleration, since a timer starts workers too.
pub fn soon(store: &Store, tenant: &Tenant) {
    let owner = (Arc::as_ptr(&store.catalog) as usize, tenant.id().to_owned());
    let Some(mut place) = WorkerPlace::take(owner) else {
        return;
    };
    let (store, tenant) = (store.clone(), tenant.clone());
    tokio::spawn(async move {
        loop {
            if let Err(error) = work(&store, &tenant).await {
                tracing::warn!(tenant = tenant.id(), %error, "exports were interrupted; the timer goes on");
                return;
            }
            if !place.is_wanted_again() {
                return;
            }
        }
    });
}

/// A worker's slot; dropping it frees the slot, however the worker ends.
struct WorkerPlace {
    owner: Owner,
    is_free: bool,
}

impl WorkerPlace {
    fn take(owner: Owner) -> Option<WorkerPlace> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let standing = running.entry(owner.clone()).or_default();
        if standing.workers >= OF_TENANT {
            standing.is_more = true;
            return None;
        }
        standing.workers += 1;
        Some(WorkerPlace {
            owner,
            is_free: false,
        })
    }

    /// Whether new jobs arrived meanwhile. If not, the slot is freed at the same time, so that no
    /// wake-up is lost.
    fn is_wanted_again(&mut self) -> bool {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(standing) = running.get_mut(&self.owner)
            && std::mem::take(&mut standing.is_more)
        {
            return true;
        }
        leave(&mut running, &self.owner);
        self.is_free = true;
        false
    }
}

impl Drop for WorkerPlace {
    fn drop(&mut self) {
        // Once freed, the slot may belong to another worker.
        if !self.is_free {
            let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            leave(&mut running, &self.owner);
        }
    }
}

fn leave(running: &mut HashMap<Owner, Standing>, owner: &Owner) {
    if let Some(standing) = running.get_mut(owner) {
        standing.workers = standing.workers.saturating_sub(1);
        if standing.workers == 0 {
            running.remove(owner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_has_few_workers_and_none_leaves_while_there_is_more() {
        let owner = || (0, "of a test".to_owned());
        let mut first = WorkerPlace::take(owner()).unwrap();
        let second = WorkerPlace::take(owner()).unwrap();
        assert!(WorkerPlace::take(owner()).is_none());
        assert!(WorkerPlace::take((0, "another".to_owned())).is_some());
        assert!(first.is_wanted_again(), "the third is done by the first");
        assert!(!first.is_wanted_again());
        drop(second);
        drop(first);
        let known = RUNNING.lock().unwrap().contains_key(&owner());
        assert!(!known);
    }
}
