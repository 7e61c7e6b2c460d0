//! The composed product, in parts. A function takes the part that it needs; handlers have all of
//! them.

use std::sync::Arc;

use octavo_boxed::boxed;
use octavo_jobs::Workers;
use octavo_postgres::{DatabaseError, Readers};
use octavo_records::Store;

use crate::audit::Audit;
use crate::change_listener::Listeners;
use crate::contents::Contents;
use crate::gateway::pages::Pages;
use crate::gateway::state::Gateway;
use crate::identities::Identities;
use crate::invalidation_barrier::InvalidationBarrier;
use crate::proxy::Remotes;
use crate::records_http::ResponseCache;
use crate::registry::Registry;
use crate::tenants::Tenants;

/// Everything that a request needs.
#[derive(Debug)]
pub struct Platform {
    pub store: Store,
    /// The known modules, and which of them each tenant has.
    pub registry: Arc<Registry>,
    /// The tenants: their readiness, creation, upgrade and deletion.
    pub tenants: Arc<Tenants>,
    /// Authentication and permissions.
    pub identities: Arc<Identities>,
    /// The client of remote modules.
    pub remotes: Arc<Remotes>,
    pub gateway: Gateway,
    pub audit: Audit,
    /// Who does background work in this process.
    pub workers: Workers,
    /// Responses to reads of collections that seldom change.
    pub(crate) response_cache: Arc<ResponseCache>,
    pub(crate) barrier: Arc<InvalidationBarrier>,
    /// What the modules declare of bodies and answers.
    pub(crate) contents: Arc<Contents>,
}

impl Platform {
    /// The same platform with read replicas.
    #[must_use]
    pub fn reading_on(mut self, readers: Readers) -> Platform {
        self.gateway.readers = Some(readers);
        self
    }

    /// The same platform with pages beside its API.
    #[must_use]
    pub fn showing(mut self, pages: Arc<dyn Pages>) -> Platform {
        self.gateway.pages = Some(pages);
        self
    }

    /// Waits until every process of the installation acts on what was committed before.
    #[boxed]
    pub async fn settle(&self) {
        self.barrier.settle().await;
    }

    /// Starts to listen for the database's notifications; the returned future handles them for as
    /// long as it is polled.
    ///
    /// # Errors
    /// When the listening connection cannot be opened.
    pub async fn follow_changes(
        &self,
    ) -> Result<impl Future<Output = ()> + Send + use<>, DatabaseError> {
        let listeners = Listeners {
            identities: Arc::clone(&self.identities),
            tenants: Arc::clone(&self.tenants),
            registry: Arc::clone(&self.registry),
            response_cache: Arc::clone(&self.response_cache),
            barrier: Arc::clone(&self.barrier),
        };
        listeners.begin().await
    }
}
