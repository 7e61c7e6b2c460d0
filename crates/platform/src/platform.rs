//! The composed product: what every request is served from.

use std::sync::Arc;

use jiff::Timestamp;
use octavo_postgres::{Database, DatabaseError, Readers};
use octavo_records::{Catalog, INDEX_CHANNEL, Store};
use tokio::sync::Semaphore;

use crate::identity::{CHANNEL, Directory, Permissions, Sessions};
use crate::index_advice;
use crate::key_ring::{KEY_CHANNEL, KeyRing};
use crate::module::Module;
use crate::router::Router;
use crate::slow_work::SlowWork;
use crate::tenants::Tenants;
use crate::token::{KeySource, LoginSettings, Signer};
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
    pub tenants: Tenants,
    /// Signs and verifies tokens.
    pub signer: Arc<Signer>,
    /// Where its keys come from, when they can change.
    pub(crate) keys: Option<Arc<KeyRing>>,
    /// What the operator decided about log-ins.
    pub login: LoginSettings,
    /// Who may do what.
    pub permissions: Arc<Permissions>,
    /// The last traced requests.
    pub traces: Traces,
    /// The limits.
    pub limits: Limits,
    /// One permit for each request being served.
    pub(crate) serving: Semaphore,
    /// Where passwords are hashed and verified: a storm of log-ins must not starve the rest.
    pub password_checks: SlowWork,
}

/// Password checks that wait for their turn; about ten seconds' worth on one thread.
const PASSWORD_CHECKS_WAITING_MAX: usize = 512;

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
    /// Where sessions are kept.
    pub sessions: Arc<dyn Sessions>,
    /// The key that tokens are signed with, until [`Platform::with_keys`] gives others.
    pub signing_key: Vec<u8>,
    /// What the operator decided about log-ins.
    pub login: LoginSettings,
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
            sessions,
            signing_key,
            login,
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
            tenants: Tenants::default(),
            signer: Arc::new(Signer::new(&signing_key)),
            keys: None,
            login,
            permissions: Arc::new(Permissions::new(directory, sessions)),
            traces: Traces::default(),
            limits,
            serving: Semaphore::new(limits.requests),
            password_checks: SlowWork::new(
                cores.div_ceil(4),
                PASSWORD_CHECKS_WAITING_MAX,
                "Too many log-ins are waiting now; try again in a moment",
            ),
        })
    }

    /// The same platform, reading on replicas.
    #[must_use]
    pub fn reading_on(mut self, readers: Readers) -> Platform {
        self.readers = Some(readers);
        self
    }

    /// Takes the keys of tokens from there, now and whenever they change.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn with_keys(
        mut self,
        source: Arc<dyn KeySource>,
    ) -> Result<Platform, DatabaseError> {
        let ring = KeyRing::new(
            source,
            self.store.database.clone(),
            Arc::clone(&self.signer),
        );
        ring.reload().await?;
        self.keys = Some(Arc::new(ring));
        Ok(self)
    }

    /// Begins to hear the database's notices of changed permissions, keys and indexes; the future that is
    /// given follows them for as long as it is run.
    ///
    /// # Errors
    /// When the database cannot be listened to.
    pub async fn follow_changes(
        &self,
    ) -> Result<impl Future<Output = ()> + Send + use<>, DatabaseError> {
        let channels = [CHANNEL, INDEX_CHANNEL, KEY_CHANNEL];
        let listener = self.store.database.listen(&channels).await?;
        let indexes = crate::index_notices::follow(self.store.clone(), listener.subscribe());
        let keys = crate::key_ring::follow(self.keys.clone(), listener.subscribe());
        let permissions = Arc::clone(&self.permissions).follow(listener);
        Ok(async move {
            tokio::join!(permissions, indexes, keys);
        })
    }
}
