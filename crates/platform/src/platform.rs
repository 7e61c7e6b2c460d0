//! The composed product: what every request is served from.

use std::sync::Arc;

use jiff::Timestamp;
use octavo_postgres::{Database, DatabaseError, Readers};
use octavo_records::{Catalog, INDEX_CHANNEL, Store, TENANT_CHANNEL};
use tokio::sync::Semaphore;

use crate::identity::{CHANNEL, Directory, Permissions};
use crate::index_advice;
use crate::module::Module;
use crate::router::Router;
use crate::tenants::Tenants;
use crate::token::Signer;
use crate::traces::{self, Traces};

/// Limits on what one client can make large.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of a request's body; more gets 413.
    pub body_bytes: usize,
    /// Requests being served at the same time; more get 503.
    pub requests: usize,
    /// Until when the interfaces for that may replace records whatever their `_version`; never
    /// without an instant.
    pub suppress_locking_until: Option<Timestamp>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes: 10 * 1024 * 1024,
            requests: 4_096,
            suppress_locking_until: None,
        }
    }
}

/// Everything a request needs.
#[derive(Debug)]
pub struct Platform {
    /// The records.
    pub store: Store,
    /// The replicas that reads go to, when there are any.
    pub readers: Option<Readers>,
    /// The routes.
    pub router: Router,
    /// What was composed.
    pub modules: Vec<Module>,
    /// The tenants.
    pub tenants: Arc<Tenants>,
    /// The tokens' key.
    pub signer: Signer,
    /// Who may do what.
    pub permissions: Arc<Permissions>,
    /// The last traced requests.
    pub traces: Traces,
    /// The limits.
    pub limits: Limits,
    /// One permit for each request being served.
    pub(crate) serving: Semaphore,
    /// One permit for each password being verified: a storm of log-ins must not starve the rest.
    pub password_checks: Semaphore,
}

/// The routes that FOLIO has none like.
fn own_module() -> Module {
    Module::new("octavo", env!("CARGO_PKG_VERSION"))
        .interface(index_advice::interface())
        .interface(traces::interface())
}

/// What a platform is made of.
pub struct Composition {
    /// The areas' modules, in an order in which every collection follows those it refers to.
    pub modules: Vec<Module>,
    /// Where permissions are kept.
    pub directory: Arc<dyn Directory>,
    /// The key that tokens are signed with.
    pub signing_key: Vec<u8>,
    /// The limits.
    pub limits: Limits,
}

impl std::fmt::Debug for Composition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Composition")
            .field("modules", &self.modules.len())
            .finish_non_exhaustive()
    }
}

impl Platform {
    /// Composes a platform over a database.
    ///
    /// # Errors
    /// When two modules contradict each other: a fault of ours that the message names.
    pub fn new(database: Database, composition: Composition) -> Result<Platform, String> {
        let Composition {
            mut modules,
            directory,
            signing_key,
            limits,
        } = composition;
        modules.push(crate::okapi::module());
        modules.push(own_module());
        let collections = modules
            .iter()
            .flat_map(|module| module.collections.clone())
            .collect();
        let catalog = Arc::new(Catalog::new(collections)?);
        let router = Router::new(&modules, &catalog)?;
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Ok(Platform {
            store: Store::new(database, catalog),
            readers: None,
            router,
            modules,
            tenants: Arc::default(),
            signer: Signer::new(&signing_key),
            permissions: Arc::new(Permissions::new(directory)),
            traces: Traces::default(),
            limits,
            serving: Semaphore::new(limits.requests),
            password_checks: Semaphore::new(cores.div_ceil(2)),
        })
    }

    /// The same platform, reading on replicas.
    #[must_use]
    pub fn reading_on(mut self, readers: Readers) -> Platform {
        self.readers = Some(readers);
        self
    }

    /// Begins to hear the database's notices of changed permissions, indexes and tenants; the future that is
    /// given follows them for as long as it is run.
    ///
    /// # Errors
    /// When the database cannot be listened to.
    pub async fn follow_changes(
        &self,
    ) -> Result<impl Future<Output = ()> + Send + use<>, DatabaseError> {
        let channels = [CHANNEL, INDEX_CHANNEL, TENANT_CHANNEL];
        let listener = self.store.database.listen(&channels).await?;
        let (store, tenants) = (self.store.clone(), Arc::clone(&self.tenants));
        let events = listener.subscribe();
        let indexes = crate::index_notices::follow(store, Arc::clone(&tenants), events);
        let users = Arc::clone(&self.permissions);
        let tenants = tenants.follow(self.store.clone(), users, listener.subscribe());
        let permissions = Arc::clone(&self.permissions).follow(listener);
        Ok(async move {
            tokio::join!(permissions, indexes, tenants);
        })
    }
}
