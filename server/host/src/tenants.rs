//! The work on tenants in the background after a start: those of an earlier release are upgraded
//! one after the other, unless a request needs one first, and then get their indexes.

use std::sync::Arc;

use octavo_platform::Platform;
use octavo_platform::tenants::{AGAIN_AFTER, NotReady};
use octavo_records::{Provisioned, StoreError, Tenant, TenantEntry};

/// Runs until no work is left.
pub async fn run(platform: Arc<Platform>) {
    loop {
        match pass(&platform).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(%error, "the upgrade of tenants failed; next try in half a minute");
            }
        }
        tokio::time::sleep(AGAIN_AFTER).await;
    }
}

/// Goes through all tenants; returns how many of them still lack something.
async fn pass(platform: &Arc<Platform>) -> Result<usize, StoreError> {
    let (store, tenants) = (&platform.store, &platform.tenants);
    let fingerprint = tenants.fingerprint();
    let is_prepared = |entry: &TenantEntry| entry.mark.prepared.as_deref() == Some(fingerprint);
    let entries = store.tenant_entries().await?;
    let count = entries.len();
    let mut unserved = 0;
    for (at, entry) in entries.iter().enumerate() {
        let Ok(tenant) = Tenant::new(&entry.id) else {
            continue;
        };
        if is_prepared(entry) {
            continue;
        }
        match tenants.prepare(&tenant).await {
            Ok(done) => print_upgrade(&tenant, done.as_ref(), at + 1, count),
            // Deleted meanwhile.
            Err(NotReady::Unknown(_)) => {}
            // The platform has logged the reason.
            Err(NotReady::Failed(_)) => unserved += 1,
            Err(NotReady::Store(error)) => return Err(error),
        }
    }
    Ok(unserved + build_indexes(platform).await?)
}

/// Prints the upgrade of a tenant.
pub fn print_upgrade(tenant: &Tenant, done: Option<&Provisioned>, at: usize, count: usize) {
    let Some(outcome) = done else { return };
    let (steps, indexes) = (outcome.applied.len(), outcome.pending_indexes.len());
    if steps + indexes > 0 {
        eprintln!(
            "  tenant {} ({at} of {count}) is brought up to date: {steps} steps done, {indexes} \
             indexes to be made while it is served",
            tenant.id(),
        );
    }
    for index in &outcome.undeclared_indexes {
        tracing::info!(
            tenant = tenant.id(),
            index,
            "this release no longer declares an index; it is left as it is"
        );
    }
}

/// Builds the indexes that an upgrade adds to existing tables, tenant by tenant, while the tenants
/// are served. Returns at how many tenants it failed.
async fn build_indexes(platform: &Platform) -> Result<usize, StoreError> {
    let mut broken_off = 0;
    for entry in platform.store.tenant_entries().await? {
        let Ok(tenant) = Tenant::new(&entry.id) else {
            continue;
        };
        // Without tables there is nothing to index.
        if entry.mark.indexed || entry.mark.prepared.is_none() {
            continue;
        }
        match platform.store.build_indexes(&tenant, &|_| ()).await {
            Ok(builds) => tracing::info!(
                tenant = tenant.id(),
                made = builds.made.len(),
                failed = builds.problems.len(),
                "the tenant's indexes are up to date"
            ),
            Err(error) => {
                if platform.store.tenant_entry(&tenant).await?.is_some() {
                    tracing::warn!(
                        tenant = tenant.id(),
                        %error,
                        "the build of indexes failed; next try in half a minute"
                    );
                    broken_off += 1;
                }
            }
        }
    }
    Ok(broken_off)
}
