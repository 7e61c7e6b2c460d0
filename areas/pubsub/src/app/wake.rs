//! Wakes the workers of this process when an event is queued, in whichever process that is. Nothing depends on
//! it: a timer looks too.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use octavo_platform::Platform;
use octavo_postgres::{Listener, ListenerEvent};
use octavo_records::Tenant;
use tokio::sync::broadcast::error::RecvError;

use super::deliver::Delivery;

/// The channel on which the database says that an event is queued; its payload is the tenant's schema.
const CHANNEL: &str = "octavo_pubsub";

/// Whether this process listens.
#[derive(Debug, Default)]
pub struct Wake {
    listens: AtomicBool,
}

/// Has a tenant's deliveries done.
pub fn begin(platform: &Arc<Platform>, tenant: &Tenant) {
    let workers = &platform.workers;
    workers.begin(&platform.store, tenant, Delivery::new(platform));
}

/// Listens from now on, unless the process does so already.
pub async fn listen(wake: &Arc<Wake>, platform: &Arc<Platform>) {
    if wake.listens.swap(true, Ordering::AcqRel) {
        return;
    }
    match platform.store.database.listen(&[CHANNEL]).await {
        Ok(listener) => {
            // The task must not keep the platform from ending.
            let following = follow(Arc::clone(wake), Arc::downgrade(platform), listener);
            tokio::spawn(following);
        }
        Err(error) => {
            wake.listens.store(false, Ordering::Release);
            tracing::warn!(%error, "events wait for the timer: the database cannot be listened to");
        }
    }
}

async fn follow(wake: Arc<Wake>, platform: Weak<Platform>, listener: Listener) {
    let mut events = listener.subscribe();
    let Some(mut stopping) = platform
        .upgrade()
        .map(|one| one.gateway.stopping.subscribe())
    else {
        return;
    };
    loop {
        let event = tokio::select! {
            event = events.recv() => event,
            // Before the database is stopped: its end would be reported as a fault.
            _ = stopping.wait_for(|stopping| *stopping) => break,
        };
        let schema = match event {
            Ok(ListenerEvent::Notification { payload, .. }) => Some(payload),
            // What was missed may be of any tenant.
            Ok(ListenerEvent::Restored) | Err(RecvError::Lagged(_)) => None,
            Ok(ListenerEvent::Lost) => continue,
            Err(RecvError::Closed) => break,
        };
        let Some(platform) = platform.upgrade() else {
            break;
        };
        let state = platform.registry.state();
        let tenants = state.tenants.values().map(|view| &view.tenant);
        let concerned = |tenant: &&Tenant| {
            let schema = schema.as_deref();
            schema.is_none_or(|schema| schema == tenant.schema())
        };
        for tenant in tenants.filter(concerned) {
            begin(&platform, tenant);
        }
    }
    wake.listens.store(false, Ordering::Release);
}
