//! The composed product: what every request is served from.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError, Readers};
use octavo_records::{Catalog, Store, StoreError, Tenant};
use tokio::sync::Semaphore;

use crate::audit::Audit;
use crate::cpu_pool::SlowWork;
use crate::identity::{Directory, Permissions, Sessions};
use crate::index_advice;
use crate::invalidation_barrier::Agreement;
use crate::key_ring::KeyRing;
use crate::module::Module;
use crate::pace::Pace;
use crate::proxy::{Proxy, RemoteLimits};
use crate::registry::Registry;
use crate::router::Router;
use crate::shares::Shares;
use crate::tenants::Tenants;
use crate::token::{KeySource, LoginSettings, Signer};
use crate::traces::{self, Traces};
use crate::upload::UPLOADS_MAX;
use crate::{registry, timers};

/// Limits on what one client can make large.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of a request's body; more gets 413.
    pub body_bytes: usize,
    /// Bytes of all bodies that are held at the same time; a body beyond them gets 503.
    pub bodies_bytes: usize,
    /// Requests being served at the same time; more get 503.
    pub requests: usize,
    /// Connections open at the same time. For one more, one that waits for its client is closed.
    pub connections: usize,
    /// A client has this long to send a request's head, or to shake hands.
    pub head_timeout: Duration,
    /// And this long to send a request's body.
    pub body_timeout: Duration,
    /// A connection on which a client has sent nothing and read nothing for so long is closed.
    pub idle_timeout: Duration,
    /// Until when the interfaces for that may replace records whatever their `_version`; never
    /// without an instant.
    pub suppress_locking_until: Option<Timestamp>,
    /// How long is waited for remote modules.
    pub remote: RemoteLimits,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes: 10 * 1024 * 1024,
            bodies_bytes: 1024 * 1024 * 1024,
            requests: 4_096,
            connections: 10_000,
            head_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(120),
            idle_timeout: Duration::from_secs(60),
            suppress_locking_until: None,
            remote: RemoteLimits::default(),
        }
    }
}

/// What whoever runs an installation decided about it.
#[derive(Debug, Clone, Default)]
pub struct Governance {
    /// Tenants whose users may run the installation with the permissions for it, beside those of
    /// the supertenant: make tenants, register modules, say where these run.
    pub operators: Vec<String>,
    /// Whether a tenant's users may disable `mod-authtoken`, so that its requests need no token.
    pub allow_disable_auth: bool,
    /// The address that remote modules call back at; where this process listens when not given.
    pub address: Option<String>,
    /// Proxies that are believed when they say which address a request came from.
    pub proxies: Vec<IpAddr>,
    /// The origins whose pages may send requests with cookies.
    pub origins: Vec<String>,
    /// Whether browsers are told to come with TLS only.
    pub strict_transport: bool,
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
    /// Which modules there are, and which of them each tenant has.
    pub registry: Registry,
    /// The way to remote modules.
    pub(crate) proxy: Proxy,
    /// What whoever runs the installation decided.
    pub governance: Governance,
    listens_at: OnceLock<String>,
    pub(crate) agreement: Agreement,
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
    /// One permit for each request that anybody may send and that changes something.
    pub(crate) serving_public: Semaphore,
    /// The bytes of bodies that are held.
    pub(crate) bodies: Arc<Shares>,
    /// Those that anybody may send.
    pub(crate) public_bodies: Arc<Shares>,
    /// The places of bodies that are read as they come.
    pub(crate) uploads: Arc<Shares>,
    /// How often those who need not be known have asked for something.
    pub pace: Pace,
    /// What is told of log-ins, refusals and the like.
    pub audit: Audit,
    /// Where passwords are hashed and verified: a storm of log-ins must not starve the rest.
    pub password_checks: SlowWork,
}

/// Bytes of all bodies together that anybody may send.
const PUBLIC_BODIES_BYTES: usize = 16 * 1024 * 1024;
/// However few requests are served at once, so many of them may be anybody's.
const PUBLIC_REQUESTS_MIN: usize = 16;

/// Password checks that wait for their turn; about ten seconds' worth on one thread.
const PASSWORD_CHECKS_WAITING_MAX: usize = 512;

/// The routes that FOLIO has none like.
fn own_module() -> Module {
    Module::new("octavo", env!("CARGO_PKG_VERSION"))
        .permissions(include_str!("permissions/octavo.tsv"))
        .migration("audit", include_str!("audit/audit.sql"))
        .interface(crate::audit::interface())
        .interface(crate::openapi::interface())
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
    /// What whoever runs the installation decided.
    pub governance: Governance,
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
            governance,
        } = composition;
        modules.push(crate::okapi::module());
        modules.push(own_module());
        let collections = modules
            .iter()
            .flat_map(|module| module.collections.clone())
            .collect();
        let catalog = Arc::new(Catalog::new(collections)?);
        let router = Router::new(&modules, &catalog)?;
        let supertenant = Tenant::new(SUPERTENANT).map_err(|error| error.to_string())?;
        let registry = Registry::new(&modules, supertenant);
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Ok(Platform {
            store: Store::new(database, catalog),
            readers: None,
            router,
            modules,
            tenants: Arc::default(),
            registry,
            proxy: Proxy::new(limits.remote)?,
            governance,
            listens_at: OnceLock::new(),
            agreement: Agreement::default(),
            signer: Arc::new(Signer::new(&signing_key)),
            keys: None,
            login,
            permissions: Arc::new(Permissions::new(directory, sessions)),
            traces: Traces::default(),
            limits,
            serving: Semaphore::new(limits.requests),
            serving_public: Semaphore::new((limits.requests / 4).max(PUBLIC_REQUESTS_MIN)),
            bodies: Shares::new(limits.bodies_bytes),
            public_bodies: Shares::new(PUBLIC_BODIES_BYTES.min(limits.bodies_bytes)),
            uploads: Shares::new(UPLOADS_MAX),
            pace: Pace::default(),
            audit: Audit::default(),
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
    #[boxed]
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

    /// Makes what all tenants share, once.
    ///
    /// # Errors
    /// When the database does not answer or does not allow it.
    #[boxed]
    pub async fn prepare_shared(&self) -> Result<(), StoreError> {
        self.store.provision_shared().await?;
        registry::store::prepare(&self.store.database).await?;
        timers::store::prepare(&self.store.database).await?;
        Ok(())
    }

    /// Says where this process listens, for remote modules that call back.
    pub fn listens_at(&self, url: String) {
        let _ = self.listens_at.set(url);
    }

    /// The address that remote modules call back at.
    #[must_use]
    pub fn address(&self) -> String {
        let given = self.governance.address.as_ref();
        given.or(self.listens_at.get()).cloned().unwrap_or_default()
    }

    /// Whether users of a tenant may run the installation.
    #[must_use]
    pub fn is_operator(&self, tenant: &Tenant) -> bool {
        tenant.id() == SUPERTENANT || self.governance.operators.iter().any(|id| id == tenant.id())
    }
}

/// The tenant whose users run the installation.
pub const SUPERTENANT: &str = "supertenant";
