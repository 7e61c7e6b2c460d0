//! The composed product: what every request is served from, in parts. Whoever needs one part takes that
//! part; handlers have all of them.

use std::sync::Arc;

use octavo_boxed::boxed;
use octavo_jobs::Workers;
use octavo_postgres::{DatabaseError, Readers};
use octavo_records::Store;

use crate::audit::Audit;
use crate::change_listener::Listeners;
use crate::gateway::state::Gateway;
use crate::identities::Identities;
use crate::invalidation_barrier::InvalidationBarrier;
use crate::proxy::Remotes;
use crate::registry::Registry;
use crate::tenants::Tenants;

/// Everything a request needs.
#[derive(Debug)]
pub struct Platform {
    /// The records.
    pub store: Store,
    /// Which modules there are, and which of them each tenant has.
    pub registry: Arc<Registry>,
    /// The tenants: whether they can be served, how they are made, brought up to date and removed.
    pub tenants: Arc<Tenants>,
    /// Who calls, and what they may do.
    pub identities: Arc<Identities>,
    /// The way to remote modules.
    pub remotes: Arc<Remotes>,
    /// The way of every request.
    pub gateway: Gateway,
    /// What is told of log-ins, refusals and the like.
    pub audit: Audit,
    /// Who does background work in this process.
    pub workers: Workers,
    pub(crate) barrier: Arc<InvalidationBarrier>,
}

impl Platform {
    /// The same platform, reading on replicas.
    #[must_use]
    pub fn reading_on(mut self, readers: Readers) -> Platform {
        self.gateway.readers = Some(readers);
        self
    }

    /// Waits until every process of the installation acts on what was committed before.
    #[boxed]
    pub async fn settle(&self) {
        self.barrier.settle().await;
    }

    /// Begins to hear the database's notices of changes; the future that is given follows them for
    /// as long as it is run.
    ///
    /// # Errors
    /// When the database cannot be listened to.
    pub async fn follow_changes(
        &self,
    ) -> Result<impl Future<Output = ()> + Send + use<>, DatabaseError> {
        let listeners = Listeners {
            identities: Arc::clone(&self.identities),
            tenants: Arc::clone(&self.tenants),
            registry: Arc::clone(&self.registry),
            barrier: Arc::clone(&self.barrier),
        };
        listeners.begin().await
    }
}
