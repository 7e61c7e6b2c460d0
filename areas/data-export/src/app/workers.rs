//! The workers of this process: few for each tenant, however many exports begin.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use octavo_records::{Store, Tenant};

use super::work::work;

/// Workers of one tenant: while one lists all of a library, the other continues with smaller jobs.
const OF_TENANT: usize = 2;

/// Whose workers they are: the store's catalogue, which each platform has of its own, and the tenant.
type Owner = (usize, String);

/// How many workers of a tenant run here, and whether there is more since the last looked.
#[derive(Debug, Default)]
struct Standing {
    workers: usize,
    is_more: bool,
}

static RUNNING: LazyLock<Mutex<HashMap<Owner, Standing>>> = LazyLock::new(Mutex::default);

/// Has the tenant's jobs done in the background: by another worker, or where there are enough by one of
/// those, which looks once more. Returns at once; nothing is lost when nobody calls it, for a timer does
/// too.
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

/// A place among the workers; free again when it is dropped, however the worker ends.
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

    /// Whether more has come meanwhile. If not, the place is free from this moment on.
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
        // Once it is free it may be another's.
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
