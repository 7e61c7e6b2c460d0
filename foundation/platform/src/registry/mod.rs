//! The registry: the modules, the addresses of remote ones, and which modules each tenant has
//! enabled. Each process caches all of it and reloads it when the database notifies of a change.

pub mod descriptor;
pub mod module_id;
pub mod native;
mod newest;
pub mod pattern;
pub mod resolve;
pub mod schedule;
pub mod store;
pub mod version;
pub mod view;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError};
use octavo_records::Tenant;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::Mutex;

pub use descriptor::ModuleDescriptor;
pub use resolve::Modules;
pub use view::{RemoteRoute, TenantView};

use crate::module::Module;
use newest::Newest;

/// The address of an instance of a remote module (Okapi's `DeploymentDescriptor`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Deployment {
    #[serde(default)]
    pub srvc_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inst_id: Option<String>,
    /// The node on which Okapi would start it; Octavo starts no module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_id: Option<String>,
    /// Its address, `http://host:port`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// How Okapi would start it; rejected here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub descriptor: Option<Value>,
}

/// The whole registry at one moment.
#[derive(Debug, Default)]
pub struct State {
    pub tenants: HashMap<String, Arc<TenantView>>,
    /// All modules, native and remote.
    pub modules: Modules,
    /// The instances of remote modules, by module id.
    pub deployments: BTreeMap<String, Vec<Deployment>>,
    /// The environment variables by name.
    pub environment: BTreeMap<String, Value>,
}

/// The registry of this process.
pub struct Registry {
    /// The native modules' declarations.
    pub modules: Arc<[Module]>,
    /// Whether a tenant's users may disable `mod-authtoken`, so that its requests need no token.
    pub(crate) allow_disable_auth: bool,
    database: Database,
    native: Vec<Arc<ModuleDescriptor>>,
    nobody: Arc<TenantView>,
    state: Newest<State>,
    reading: Mutex<Option<Instant>>,
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Registry")
            .field("modules", &self.modules.len())
            .finish_non_exhaustive()
    }
}

impl Registry {
    /// An unknown tenant makes a process reload the registry, but not more often than this.
    const RELOAD_EVERY: Duration = Duration::from_millis(100);

    /// A registry of native modules; it knows no tenant before [`Registry::load`].
    #[must_use]
    pub fn new(
        database: Database,
        modules: Arc<[Module]>,
        allow_disable_auth: bool,
        supertenant: Tenant,
    ) -> Registry {
        let native: Vec<_> = modules
            .iter()
            .map(|module| Arc::new(native::descriptor(module)))
            .collect();
        let all = native
            .iter()
            .map(|module| (module.id.clone(), Arc::clone(module)))
            .collect();
        let name = supertenant.id().to_owned();
        let nobody = Arc::new(TenantView::new(supertenant, name, None, all, &native));
        Registry {
            modules,
            allow_disable_auth,
            database,
            native,
            nobody,
            state: Newest::default(),
            reading: Mutex::default(),
        }
    }

    /// The view for requests without a tenant, such as version and health.
    #[must_use]
    pub fn nobody(&self) -> Arc<TenantView> {
        Arc::clone(&self.nobody)
    }

    /// The current state.
    #[must_use]
    pub fn state(&self) -> Arc<State> {
        self.state.get()
    }

    /// A tenant's view, if it is in the cache.
    #[must_use]
    pub fn known(&self, tenant: &str) -> Option<Arc<TenantView>> {
        self.state.get().tenants.get(tenant).cloned()
    }

    /// A tenant's view; a tenant that another process has just created is found too.
    #[boxed]
    pub async fn view(&self, tenant: &str) -> Result<Option<Arc<TenantView>>, DatabaseError> {
        if let Some(view) = self.known(tenant) {
            return Ok(Some(view));
        }
        // Callers queue here: many requests for an unknown tenant cause one load.
        let mut reading = self.reading.lock().await;
        if reading.is_none_or(|last| last.elapsed() > Registry::RELOAD_EVERY) {
            // Boxed, so that requests for known tenants do not reserve memory for it.
            Box::pin(self.load()).await?;
            *reading = Some(Instant::now());
        }
        drop(reading);
        Ok(self.known(tenant))
    }

    /// Loads the whole registry. Afterwards everything is known that was committed before the call.
    #[boxed]
    pub async fn load(&self) -> Result<(), DatabaseError> {
        let reading = self.state.begin();
        let stored = store::read(&self.database).await?;
        self.state.set(reading, self.state_of(stored));
        Ok(())
    }

    fn state_of(&self, stored: store::Stored) -> State {
        let mut modules = Modules::new();
        for document in stored.modules {
            match serde_json::from_value::<ModuleDescriptor>(document) {
                Ok(module) => {
                    modules.insert(module.id.clone(), Arc::new(module));
                }
                Err(error) => tracing::error!(%error, "a registered module cannot be read"),
            }
        }
        for module in &self.native {
            modules.insert(module.id.clone(), Arc::clone(module));
        }
        let mut chosen: HashMap<&str, HashMap<&str, bool>> = HashMap::new();
        for (tenant, module, enabled) in &stored.tenant_modules {
            chosen.entry(tenant).or_default().insert(module, *enabled);
        }
        let nothing = HashMap::new();
        let mut tenants = HashMap::new();
        for row in &stored.tenants {
            let Ok(tenant) = Tenant::new(&row.id) else {
                continue;
            };
            let chosen = chosen.get(row.id.as_str()).unwrap_or(&nothing);
            let enabled = modules
                .iter()
                .filter(|(id, module)| match (module.native, always(module)) {
                    (true, true) => true,
                    (true, false) => chosen
                        .get(module.product())
                        .copied()
                        .unwrap_or(row.native_modules),
                    (false, _) => chosen.get(id.as_str()).copied().unwrap_or(false),
                })
                .map(|(id, module)| (id.clone(), Arc::clone(module)))
                .collect();
            let (name, description) = (row.name.clone(), row.description.clone());
            let view = TenantView::new(tenant, name, description, enabled, &self.native);
            tenants.insert(row.id.clone(), Arc::new(view));
        }
        let mut deployments: BTreeMap<String, Vec<Deployment>> = BTreeMap::new();
        for document in stored.deployments {
            if let Ok(one) = serde_json::from_value::<Deployment>(document)
                && let Some(service) = one.srvc_id.clone()
            {
                deployments.entry(service).or_default().push(one);
            }
        }
        let name = |entry: &Value| entry["name"].as_str().unwrap_or_default().to_owned();
        let environment = stored
            .environment
            .into_iter()
            .map(|one| (name(&one), one))
            .collect();
        State {
            tenants,
            modules,
            deployments,
            environment,
        }
    }
}

/// Whether a native module cannot be disabled: the gateway itself.
#[must_use]
pub fn always(module: &ModuleDescriptor) -> bool {
    module.native && always_there(module.product())
}

/// Whether every tenant has the native module of this name.
#[must_use]
pub fn always_there(product: &str) -> bool {
    ["okapi", "octavo"].contains(&product)
}
