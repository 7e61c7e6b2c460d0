//! The indexes that operators apply to tenants, followed as the database tells of them, so that
//! every process plans with them at once. What an index is it must not know.

use std::sync::Arc;

use octavo_postgres::ListenerEvent;
use octavo_records::{INDEX_CHANNEL, Store, StoreError, Tenant};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::tenants::Tenants;

/// Reads a tenant's applied indexes again when they change, for as long as the process lives. Those
/// of tenants that nobody asked for yet are read at their first request.
pub(crate) async fn follow(
    store: Store,
    tenants: Arc<Tenants>,
    mut events: Receiver<ListenerEvent>,
) {
    loop {
        match events.recv().await {
            Ok(ListenerEvent::Notification { channel, payload }) if channel == INDEX_CHANNEL => {
                if let Ok(tenant) = Tenant::new(&payload)
                    && tenants.known(tenant.id())
                {
                    told(store.refresh_indexes(&tenant).await);
                }
            }
            // What came meanwhile was missed; the tenants are asked for anew all the same, but
            // requests under way plan with what is known.
            Ok(ListenerEvent::Restored) | Err(RecvError::Lagged(_)) => {
                for tenant in tenants.all_known() {
                    told(store.refresh_indexes(&tenant).await);
                }
            }
            Ok(_) => {}
            Err(RecvError::Closed) => return,
        }
    }
}

fn told(outcome: Result<(), StoreError>) {
    if let Err(error) = outcome {
        tracing::warn!(%error, "the applied indexes could not be read; those known before are used");
    }
}
