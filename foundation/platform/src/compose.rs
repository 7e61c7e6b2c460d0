//! How the product is put together: from the areas' modules and what whoever runs the installation
//! decided to the parts that requests are served from.

use std::net::IpAddr;
use std::sync::Arc;

use octavo_postgres::Database;
use octavo_records::{Catalog, Store, Tenant};

use crate::administration::{index_advice, okapi, openapi};
use crate::audit::{self, Audit};
use crate::gateway::Gateway;
use crate::gateway::limits::Limits;
use crate::identities::Identities;
use crate::identity::{Directory, Permissions, Sessions};
use crate::invalidation_barrier::InvalidationBarrier;
use crate::module::Module;
use crate::platform::Platform;
use crate::proxy::{Proxy, Remotes};
use crate::registry::Registry;
use crate::router::Router;
use crate::tenants::{SUPERTENANT, Tenants};
use crate::token::LoginSettings;
use crate::traces;

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

/// The routes that FOLIO has none like.
fn own_module() -> Module {
    Module::new("octavo", env!("CARGO_PKG_VERSION"))
        .permissions(include_str!("administration/permissions/octavo.tsv"))
        .migration("audit", include_str!("background/audit/audit.sql"))
        .interface(audit::interface())
        .interface(openapi::interface())
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
    /// The key that tokens are signed with, until [`Identities::take_keys`] gives others.
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
        modules.push(okapi::module());
        modules.push(own_module());
        let modules: Arc<[Module]> = modules.into();
        let collections = modules.iter().flat_map(|module| module.collections.clone());
        let catalog = Arc::new(Catalog::new(collections.collect())?);
        let gateway = Gateway {
            proxies: governance.proxies,
            origins: governance.origins,
            strict_transport: governance.strict_transport,
            ..Gateway::new(Router::new(&modules, &catalog)?, limits)
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
            barrier,
        })
    }
}
