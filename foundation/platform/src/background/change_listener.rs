//! Receives the database's notifications of changes (LISTEN/NOTIFY) and passes them, in order, to
//! everything with an in-memory cache: users' permissions, the registry, applied indexes, cached responses. A
//! question of [`crate::invalidation_barrier`] is answered only after all caches have handled the
//! notifications before it.

use std::sync::Arc;

use octavo_postgres::{DatabaseError, Listener, ListenerEvent};
use octavo_records::ddl::CHANGE_CHANNEL;
use octavo_records::{INDEX_CHANNEL, StoreError, TENANT_CHANNEL, Tenant};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::background::listened_event::ListenedEvent;
use crate::identities::Identities;
use crate::identity;
use crate::invalidation_barrier::{self, InvalidationBarrier};
use crate::key_ring::KEY_CHANNEL;
use crate::records_http::ResponseCache;
use crate::registry::{self, Registry};
use crate::tenants::Tenants;

/// Everything with an in-memory cache.
#[derive(Debug, Clone)]
pub(crate) struct Listeners {
    pub identities: Arc<Identities>,
    pub tenants: Arc<Tenants>,
    pub registry: Arc<Registry>,
    pub response_cache: Arc<ResponseCache>,
    pub barrier: Arc<InvalidationBarrier>,
}

impl Listeners {
    /// Starts to listen. The returned future handles notifications for as long as it is polled.
    ///
    /// # Errors
    /// When the listening connection cannot be opened, or a cache cannot be loaded.
    pub(crate) async fn begin(
        self,
    ) -> Result<impl Future<Output = ()> + Send + use<>, DatabaseError> {
        let channels = [
            identity::CHANNEL,
            INDEX_CHANNEL,
            CHANGE_CHANNEL,
            TENANT_CHANNEL,
            KEY_CHANNEL,
            registry::store::CHANNEL,
            invalidation_barrier::CHANNEL,
        ];
        // Before anything is loaded: a change between loading and listening would be missed.
        let listener = self.barrier.listen(&channels).await?;
        let events = listener.subscribe();
        self.identities.permissions.begin().await;
        self.tenants.begin();
        self.response_cache.begin();
        self.registry.load().await?;
        // Keys may have changed between their first loading and the start of listening.
        if let Some(keys) = self.identities.keys() {
            keys.reload().await?;
        }
        Ok(self.follow(listener, events))
    }

    async fn follow(self, listener: Listener, mut events: Receiver<ListenerEvent>) {
        loop {
            let event = match events.recv().await {
                Ok(ListenerEvent::Notification { channel, payload }) => {
                    ListenedEvent::Notice { channel, payload }
                }
                Ok(ListenerEvent::Lost) => ListenedEvent::Lost,
                Ok(ListenerEvent::Restored) => ListenedEvent::Restored,
                Err(RecvError::Lagged(_)) => ListenedEvent::Missed,
                Err(RecvError::Closed) => ListenedEvent::Closed,
            };
            self.handle(&event).await;
            if matches!(event, ListenedEvent::Closed) {
                break;
            }
        }
        drop(listener);
    }

    async fn handle(&self, event: &ListenedEvent) {
        self.identities.permissions.handle(event).await;
        if let Some(keys) = self.identities.keys() {
            keys.handle(event).await;
        }
        self.tenants.handle(event).await;
        self.response_cache.handle(event);
        match event {
            ListenedEvent::Notice { channel, payload } if channel == INDEX_CHANNEL => {
                // Tenants without a request so far load their indexes at the first one.
                if let Ok(tenant) = Tenant::new(payload)
                    && self.tenants.known(tenant.id())
                {
                    let refreshed = self.tenants.store.refresh_indexes(&tenant).await;
                    log_failure("the applied indexes", refreshed);
                }
            }
            ListenedEvent::Notice { channel, .. } if channel == registry::store::CHANNEL => {
                self.reload().await;
            }
            ListenedEvent::Notice { channel, payload }
                if channel == invalidation_barrier::CHANNEL =>
            {
                // An answer says that this process has handled all earlier notifications. It has,
                // since they are handled one after the other.
                self.barrier.handle(payload).await;
            }
            ListenedEvent::Restored | ListenedEvent::Missed => {
                self.reload().await;
                log_failure("the applied indexes", self.refresh_known_indexes().await);
            }
            ListenedEvent::Notice { .. } | ListenedEvent::Lost | ListenedEvent::Closed => {}
        }
    }

    async fn reload(&self) {
        let outcome = self.registry.load().await;
        log_failure("the registry", outcome.map_err(StoreError::from));
    }

    /// Reloads the indexes of all known tenants: requests in flight plan with these, even though
    /// tenants are checked again.
    async fn refresh_known_indexes(&self) -> Result<(), StoreError> {
        for tenant in self.tenants.all_known() {
            self.tenants.store.refresh_indexes(&tenant).await?;
        }
        Ok(())
    }
}

fn log_failure(what: &str, outcome: Result<(), StoreError>) {
    if let Err(error) = outcome {
        tracing::warn!(%error, "{what} could not be loaded; the cached state stays in use");
    }
}
