//! Periodic housekeeping: deletes expired domain events, old histories of pub-sub, tables of purged tenants, ended
//! sessions and unused keys; writes the counts of searches without an index to the database.

use std::sync::Arc;
use std::time::Duration;

use octavo_platform::{Platform, audit};
use octavo_pubsub::store::events as pubsub_events;
use octavo_records::{StoreError, Tenant};
use octavo_relay::store::{expiry, parked};

use super::key;

const EVERY: Duration = Duration::from_secs(3600);
/// Events are deleted in portions, so that no statement runs long.
const PORTION: i64 = 10_000;

/// Parked events are kept longer than others: somebody has to look at them.
const PARKED_DAYS: i32 = 30;

/// How often the counts are written.
const ADVICE_EVERY: Duration = Duration::from_secs(5);

/// Writes the counts of searches without an index for as long as the process lives.
pub async fn keep_advice(platform: Arc<Platform>) {
    let mut clock = tokio::time::interval(ADVICE_EVERY);
    clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        clock.tick().await;
        if let Err(error) = platform.store.flush_advice().await {
            tracing::debug!(%error, "index advice could not be stored; it is kept in memory");
        }
    }
}

/// Runs the housekeeping for as long as the process lives.
pub async fn run(platform: Arc<Platform>, keep_events_hours: u32, keep_audit_days: i32) {
    let mut clock = tokio::time::interval(EVERY);
    clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        clock.tick().await;
        if let Err(error) = end_sessions(&platform).await {
            tracing::warn!(%error, "ended sessions could not be removed; next try in an hour");
        }
        if let Err(error) = delete_old_events(&platform, keep_events_hours).await {
            tracing::warn!(%error, "old domain events could not be deleted; next try in an hour");
        }
        if let Err(error) = delete_parked(&platform).await {
            tracing::warn!(%error, "old parked events could not be deleted; next try in an hour");
        }
        if let Err(error) = shorten_audit(&platform, keep_audit_days).await {
            tracing::warn!(%error, "old audit log entries could not be deleted; next try in an hour");
        }
        if let Err(error) = shorten_histories(&platform, keep_audit_days).await {
            tracing::warn!(%error, "old histories of events could not be deleted; next try in an hour");
        }
        if let Err(error) = platform.store.drop_purged().await {
            tracing::warn!(%error, "a purged tenant's tables could not be dropped; next try in an hour");
        }
    }
}

/// Deletes sessions and keys that no valid token belongs to.
async fn end_sessions(platform: &Platform) -> Result<(), StoreError> {
    for id in platform.store.tenant_ids().await? {
        let Ok(tenant) = Tenant::new(&id) else {
            continue;
        };
        // A tenant that is not upgraded yet may have no sessions; the other tenants do.
        if let Err(error) = octavo_login::remove_ended(&platform.store, &tenant).await {
            tracing::debug!(tenant = id, %error, "ended sessions could not be removed");
        }
    }
    key::remove_spent(&platform.store.database, &platform.identities.login).await?;
    Ok(())
}

async fn delete_parked(platform: &Platform) -> Result<(), StoreError> {
    for id in platform.store.tenant_ids().await? {
        let Ok(tenant) = Tenant::new(&id) else {
            continue;
        };
        // A tenant that is not upgraded yet may have no such table.
        let deleted = parked::delete_old(&platform.store.database, &tenant, PARKED_DAYS).await;
        if let Err(error) = deleted {
            tracing::debug!(tenant = id, %error, "old parked events could not be deleted");
        }
    }
    Ok(())
}

async fn shorten_audit(platform: &Platform, days: i32) -> Result<(), StoreError> {
    let database = &platform.store.database;
    for id in platform.store.tenant_ids().await? {
        if let Ok(tenant) = Tenant::new(&id) {
            audit::store::retain(database, &tenant, days, audit::KEPT_MAX).await?;
        }
    }
    Ok(())
}

/// Deletes what became of pub-sub's events, as long ago as entries of the audit log that are deleted.
///
/// # Errors
/// When the database does not answer.
pub async fn shorten_histories(platform: &Platform, days: i32) -> Result<(), StoreError> {
    let database = &platform.store.database;
    for id in platform.store.tenant_ids().await? {
        let Ok(tenant) = Tenant::new(&id) else {
            continue;
        };
        loop {
            match pubsub_events::delete_old(database, &tenant, days, PORTION).await {
                Ok(deleted) if deleted == PORTION as u64 => {}
                Ok(_) => break,
                // Not upgraded yet, or purged meanwhile.
                Err(error) if error.is_undefined_table() => break,
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}

async fn delete_old_events(platform: &Platform, hours: u32) -> Result<(), StoreError> {
    let database = &platform.store.database;
    let hours = i32::try_from(hours).unwrap_or(i32::MAX);
    let relayed = expiry::is_relayed(database, hours).await?;
    for id in platform.store.tenant_ids().await? {
        let Ok(tenant) = Tenant::new(&id) else {
            continue;
        };
        loop {
            match expiry::delete_old(database, &tenant, (hours, relayed), PORTION).await {
                Ok(deleted) if deleted == PORTION as u64 => {}
                Ok(_) => break,
                // Not upgraded yet, or purged meanwhile.
                Err(error) if error.is_undefined_table() => break,
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}
