//! What the database tells of changes, heard in order by everything that keeps something in memory:
//! users' permissions, the registry, applied indexes. Only when all of these have heard of what came
//! before is a question of [`crate::settle`] answered.

use std::sync::Arc;

use octavo_postgres::{DatabaseError, Listener, ListenerEvent};
use octavo_records::{INDEX_CHANNEL, StoreError, Tenant};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::identity;
use crate::platform::Platform;
use crate::registry;
use crate::settle;

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
            registry::store::CHANNEL,
            settle::CHANNEL,
        ];
        let listener = self
            .agreement
            .listen(&self.store.database, &channels)
            .await?;
        let events = listener.subscribe();
        self.permissions.begin().await;
        self.registry.load(&self.store.database).await?;
        Ok(follow(Arc::clone(self), listener, events))
    }
}

async fn follow(platform: Arc<Platform>, listener: Listener, mut events: Receiver<ListenerEvent>) {
    told("the applied indexes", refresh_all_indexes(&platform).await);
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
        match &heard {
            Heard::Notice { channel, payload } if channel == INDEX_CHANNEL => {
                if let Ok(tenant) = Tenant::new(payload) {
                    told(
                        "the applied indexes",
                        platform.store.refresh_indexes(&tenant).await,
                    );
                }
            }
            Heard::Notice { channel, .. } if channel == registry::store::CHANNEL => {
                reload(&platform).await;
            }
            Heard::Notice { channel, payload } if channel == settle::CHANNEL => {
                platform
                    .agreement
                    .hear(&platform.store.database, payload)
                    .await;
            }
            Heard::Restored | Heard::Missed => {
                reload(&platform).await;
                told("the applied indexes", refresh_all_indexes(&platform).await);
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

async fn refresh_all_indexes(platform: &Platform) -> Result<(), StoreError> {
    for id in platform.store.tenant_ids().await? {
        if let Ok(tenant) = Tenant::new(&id) {
            platform.store.refresh_indexes(&tenant).await?;
        }
    }
    Ok(())
}

fn told(what: &str, outcome: Result<(), StoreError>) {
    if let Err(error) = outcome {
        tracing::warn!(%error, "{what} could not be read; what was known before is used");
    }
}
