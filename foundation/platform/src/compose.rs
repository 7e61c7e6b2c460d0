//! Composes the platform from the areas' modules and the operator's settings.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use octavo_boxed::boxed;
use octavo_jobs::Workers;
use octavo_postgres::Database;
use octavo_records::{Catalog, Provided, Store, StoreError, Tenant};
use tokio::sync::watch;

use crate::administration::{audit_log, index_advice, okapi, openapi, request_traces, timer_runs};
use crate::audit::Audit;
use crate::contents::Contents;
use crate::exposition::{self, Sources};
use crate::gateway::admission::{Admission, Limits};
use crate::gateway::metrics::RequestMetrics;
use crate::gateway::state::Gateway;
use crate::identities::Identities;
use crate::identity::{Directory, Permissions, Sessions};
use crate::invalidation_barrier::InvalidationBarrier;
use crate::module::Module;
use crate::pace::Pace;
use crate::platform::Platform;
use crate::proxy::{Proxy, Remotes};
use crate::registry::{self, Registry};
use crate::router::Router;
use crate::tenants::{self, SUPERTENANT, Tenants};
use crate::timers;
use crate::token::LoginSettings;
use crate::traces::Traces;

/// The operator's settings of an installation.
#[derive(Debug, Clone, Default)]
pub struct Governance {
    /// Tenants whose users, like those of the supertenant, may operate the installation with the
    /// permissions for it: create tenants, register modules and their addresses.
    pub operators: Vec<String>,
    /// Whether a tenant's users may disable `mod-authtoken`, so that its requests need no token.
    pub allow_disable_auth: bool,
    /// The address at which remote modules call back; by default the one that this process listens
    /// on.
    pub address: Option<String>,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub proxies: Vec<IpAddr>,
    /// The origins whose pages may send requests with cookies.
    pub origins: Vec<String>,
    /// Whether responses require browsers to use TLS (HSTS).
    pub strict_transport: bool,
    /// Whether bodies and answers are compared with what routes declare of them, and 500 says where
    /// they depart. Only for tests: it costs memory and time.
    pub checks_contents: bool,
}

/// The routes that FOLIO does not have.
fn own_module() -> Module {
    Module::new("octavo", env!("CARGO_PKG_VERSION"))
        .permissions(include_str!("administration/permissions/octavo.tsv"))
        .migration("audit", include_str!("background/audit/audit.sql"))
        .interface(audit_log::interface())
        .interface(openapi::interface())
        .interface(index_advice::interface())
        .interface(request_traces::interface())
        .interface(timer_runs::interface())
        .interface(exposition::interface())
}

/// A step runs once under its name: the second of two with one name would never run.
fn check_step_names(modules: &[Module]) -> Result<(), String> {
    let mut names = HashSet::new();
    let mut steps = tenants::steps(modules).into_iter();
    match steps.find(|(name, _)| !names.insert(*name)) {
        Some((name, _)) => Err(format!("two migration steps are named {name:?}")),
        None => Ok(()),
    }
}

/// What the modules give each other.
fn provided(modules: &[Module]) -> Result<Provided, String> {
    let mut provided = Provided::default();
    match modules.iter().find(|one| !provided.extend(&one.provided)) {
        Some(twice) => Err(format!(
            "{} gives what another module gives too",
            twice.name
        )),
        None => Ok(provided),
    }
}

/// The modules that every platform has.
pub(crate) fn own_modules() -> [Module; 2] {
    [okapi::module(), own_module()]
}

/// The input of [`Platform::new`].
pub struct Composition {
    /// The areas' modules, in an order in which every collection follows those it refers to.
    pub modules: Vec<Module>,
    pub directory: Arc<dyn Directory>,
    pub sessions: Arc<dyn Sessions>,
    /// The key that tokens are signed with, until [`Identities::take_keys`] provides others.
    pub signing_key: Vec<u8>,
    /// The operator's settings of log-ins.
    pub login: LoginSettings,
    pub limits: Limits,
    /// The operator's settings of the installation.
    pub governance: Governance,
    /// Who does background work.
    pub workers: Workers,
}

impl std::fmt::Debug for Composition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Composition")
            .field("modules", &self.modules.len())
            .finish_non_exhaustive()
    }
}

impl Platform {
    /// Composes a platform on a database.
    ///
    /// # Errors
    /// When declarations of modules conflict: a programming error, which the message describes.
    pub fn new(database: Database, composition: Composition) -> Result<Platform, String> {
        let Composition {
            mut modules,
            directory,
            sessions,
            signing_key,
            login,
            limits,
            governance,
            workers,
        } = composition;
        exposition::started();
        modules.extend(own_modules());
        let modules: Arc<[Module]> = modules.into();
        let contents = Arc::new(Contents::of(&modules)?);
        let collections = modules.iter().flat_map(|module| module.collections.clone());
        let catalog = Catalog::new(collections.collect())?;
        check_step_names(&modules)?;
        let catalog = Arc::new(catalog.with(provided(&modules)?));
        let gateway = Gateway {
            router: Router::new(&modules, &catalog)?,
            admission: Admission::new(limits),
            readers: None,
            pages: None,
            traces: Traces::default(),
            exporter: OnceLock::new(),
            metrics: RequestMetrics::default(),
            running: Arc::default(),
            sources: Sources::default(),
            stopping: watch::Sender::new(false),
            pace: Pace::default(),
            proxies: governance.proxies,
            origins: governance.origins,
            strict_transport: governance.strict_transport,
            checked: governance.checks_contents.then(|| Arc::clone(&contents)),
        };
        let store = Store::new(database.clone(), catalog);
        let barrier = Arc::new(InvalidationBarrier::new(database.clone()));
        let permissions = Arc::new(Permissions::new(directory, sessions));
        let registry = Arc::new(Registry::new(
            database,
            Arc::clone(&modules),
            governance.allow_disable_auth,
            Tenant::new(SUPERTENANT).map_err(|error| error.to_string())?,
        ));
        let tenants = Arc::new(Tenants::new(
            store.clone(),
            modules,
            Arc::clone(&permissions),
            Arc::clone(&barrier),
            governance.operators,
        ));
        let identities = Arc::new(Identities::new(
            Arc::clone(&tenants),
            permissions,
            login,
            &signing_key,
        ));
        let remotes = Arc::new(Remotes::new(
            Proxy::new(limits.remote)?,
            limits.body_bytes,
            Arc::clone(&registry),
            Arc::clone(&identities),
            governance.address,
        ));
        Ok(Platform {
            store,
            registry,
            tenants,
            identities,
            remotes,
            gateway,
            audit: Audit::default(),
            workers,
            response_cache: Arc::default(),
            barrier,
            contents,
        })
    }

    /// Creates the tables that all tenants share, if they do not exist.
    ///
    /// # Errors
    /// When the database does not allow it.
    #[boxed]
    pub async fn prepare_shared(&self) -> Result<(), StoreError> {
        self.store.provision_shared().await?;
        registry::store::prepare(&self.store.database).await?;
        timers::store::prepare(&self.store.database).await?;
        Ok(())
    }
}
