//! The indexes that operators apply to tenants, followed as the database tells of them, so that
//! every process plans with them at once. What an index is it must not know.

use octavo_postgres::ListenerEvent;
use octavo_records::{INDEX_CHANNEL, Store, StoreError, Tenant};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

/// Reads a tenant's applied indexes again when they change, for as long as the process lives.
pub(crate) async fn follow(store: Store, mut events: Receiver<ListenerEvent>) {
    told(refresh_all(&store).await);
    loop {
        match events.recv().await {
            Ok(ListenerEvent::Notification { channel, payload }) if channel == INDEX_CHANNEL => {
                if let Ok(tenant) = Tenant::new(&payload) {
                    told(store.refresh_indexes(&tenant).await);
                }
            }
            // What came meanwhile was missed.
            Ok(ListenerEvent::Restored) | Err(RecvError::Lagged(_)) => {
                told(refresh_all(&store).await);
            }
            Ok(_) => {}
            Err(RecvError::Closed) => return,
        }
    }
}

async fn refresh_all(store: &Store) -> Result<(), StoreError> {
    for id in store.tenant_ids().await? {
        if let Ok(tenant) = Tenant::new(&id) {
            store.refresh_indexes(&tenant).await?;
        }
    }
    Ok(())
}

fn told(outcome: Result<(), StoreError>) {
    if let Err(error) = outcome {
        tracing::warn!(%error, "the applied indexes could not be read; those known before are used");
    }
}
