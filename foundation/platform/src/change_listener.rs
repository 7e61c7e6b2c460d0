//! What the database tells of changes, heard in order by everything that keeps something in memory:
//! users' permissions, the registry, applied indexes. Only when all of these have heard of what came
//! before is a question of [`crate::settle`] answered.

use std::sync::Arc;

use octavo_postgres::{DatabaseError, Listener, ListenerEvent};
use octavo_records::{INDEX_CHANNEL, StoreError, TENANT_CHANNEL, Tenant};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::identity;
use crate::invalidation_barrier;
use crate::key_ring::KEY_CHANNEL;
use crate::platform::Platform;
use crate::registry;

/// What was heard.
#[derive(Debug)]
pub enum Heard {
    /// Something changed.
    Notice {
        /// What kind of thing.
        channel: String,
        /// Which one.
        payload: String,
    },
    /// Notices from now on are missed.
    Lost,
    /// Notices are heard again; there may have been some meanwhile.
    Restored,
    /// Some notices were missed.
    Missed,
    /// There will be no more.
    Closed,
}

impl Platform {
    /// Begins to hear the database's notices of changes; the future that is given follows them for
    /// as long as it is run.
    ///
    /// # Errors
    /// When the database cannot be listened to.
    pub async fn follow_changes(
        self: &Arc<Platform>,
    ) -> Result<impl Future<Output = ()> + Send + use<>, DatabaseError> {
        let channels = [
            identity::CHANNEL,
            INDEX_CHANNEL,
            TENANT_CHANNEL,
            KEY_CHANNEL,
            registry::store::CHANNEL,
            invalidation_barrier::CHANNEL,
        ];
        let listener = self
            .agreement
            .listen(&self.store.database, &channels)
            .await?;
        let events = listener.subscribe();
        self.permissions.begin().await;
        self.tenants.begin();
        self.registry.load(&self.store.database).await?;
        // What changed between the first reading and the listening.
        if let Some(keys) = &self.keys {
            keys.reload().await?;
        }
        Ok(follow(Arc::clone(self), listener, events))
    }
}

async fn follow(platform: Arc<Platform>, listener: Listener, mut events: Receiver<ListenerEvent>) {
    loop {
        let heard = match events.recv().await {
            Ok(ListenerEvent::Notification { channel, payload }) => {
                Heard::Notice { channel, payload }
            }
            Ok(ListenerEvent::Lost) => Heard::Lost,
            Ok(ListenerEvent::Restored) => Heard::Restored,
            Err(RecvError::Lagged(_)) => Heard::Missed,
            Err(RecvError::Closed) => Heard::Closed,
        };
        platform.permissions.hear(&heard).await;
        if let Some(keys) = &platform.keys {
            keys.hear(&heard).await;
        }
        let (store, tenants) = (&platform.store, &platform.tenants);
        tenants.hear(store, &platform.permissions, &heard).await;
        match &heard {
            Heard::Notice { channel, payload } if channel == INDEX_CHANNEL => {
                // Those of tenants that nobody asked for yet are read at their first request.
                if let Ok(tenant) = Tenant::new(payload)
                    && platform.tenants.known(tenant.id())
                {
                    told(
                        "the applied indexes",
                        platform.store.refresh_indexes(&tenant).await,
                    );
                }
            }
            Heard::Notice { channel, .. } if channel == registry::store::CHANNEL => {
                reload(&platform).await;
            }
            Heard::Notice { channel, payload } if channel == invalidation_barrier::CHANNEL => {
                platform
                    .agreement
                    .hear(&platform.store.database, payload)
                    .await;
            }
            Heard::Restored | Heard::Missed => {
                reload(&platform).await;
                told(
                    "the applied indexes",
                    refresh_known_indexes(&platform).await,
                );
            }
            Heard::Closed => break,
            Heard::Notice { .. } | Heard::Lost => {}
        }
    }
    drop(listener);
}

async fn reload(platform: &Platform) {
    let outcome = platform.registry.load(&platform.store.database).await;
    told("the registry", outcome.map_err(StoreError::from));
}

/// Requests under way plan with what is known, though tenants are asked for anew.
async fn refresh_known_indexes(platform: &Platform) -> Result<(), StoreError> {
    for tenant in platform.tenants.all_known() {
        platform.store.refresh_indexes(&tenant).await?;
    }
    Ok(())
}

fn told(what: &str, outcome: Result<(), StoreError>) {
    if let Err(error) = outcome {
        tracing::warn!(%error, "{what} could not be read; what was known before is used");
    }
}
