//! What one tenant sees: which modules are enabled for it, which native interfaces it is served by,
//! and where requests for remote modules go.

use std::collections::HashSet;
use std::sync::Arc;

use octavo_records::Tenant;

use super::descriptor::{InterfaceDescriptor, ModuleDescriptor, RoutingEntry};
use super::resolve::Modules;

/// The product whose absence lets a tenant's requests pass without a token.
pub const AUTHTOKEN: &str = "mod-authtoken";

/// One tenant with its modules.
#[derive(Debug)]
pub struct TenantView {
    /// The tenant.
    pub tenant: Tenant,
    /// What people call it.
    pub name: String,
    /// What it is.
    pub description: Option<String>,
    /// The modules that are enabled for it.
    pub enabled: Modules,
    /// Whether requests need a token.
    pub authenticates: bool,
    /// Native interfaces that are not served to it, because their module is disabled or a remote
    /// one took them over.
    withheld: HashSet<String>,
    remote: Vec<RemoteRoute>,
    multiple: Vec<RemoteRoute>,
    filters: Vec<RemoteRoute>,
}

/// A route or filter of a remote module.
#[derive(Debug, Clone)]
pub struct RemoteRoute {
    /// The module.
    pub module: Arc<ModuleDescriptor>,
    /// The route.
    pub entry: Arc<RoutingEntry>,
}

impl TenantView {
    /// A tenant's view of these modules, of which all native ones are in `native`.
    #[must_use]
    pub fn new(
        tenant: Tenant,
        name: String,
        description: Option<String>,
        enabled: Modules,
        native: &[Arc<ModuleDescriptor>],
    ) -> TenantView {
        let remote_modules = || enabled.values().filter(|module| !module.native);
        let taken_over: HashSet<&str> = remote_modules()
            .flat_map(|module| module.provides())
            .filter(|interface| interface.is_proxied())
            .map(|interface| interface.id.as_str())
            .collect();
        let mut withheld = HashSet::new();
        for module in native {
            let disabled = !enabled.contains_key(&module.id);
            let interfaces = module.provides().filter(|one| !one.is_system());
            withheld.extend(
                interfaces
                    .filter(|one| disabled || taken_over.contains(one.id.as_str()))
                    .map(|one| one.id.clone()),
            );
        }
        let routes = |kind: fn(&InterfaceDescriptor) -> bool| {
            let mut routes = Vec::new();
            for module in remote_modules() {
                for interface in module.provides().filter(|one| kind(one)) {
                    routes.extend(
                        interface
                            .handlers()
                            .map(|entry| RemoteRoute::new(module, entry)),
                    );
                }
            }
            sort(routes)
        };
        let filters = remote_modules().flat_map(|module| {
            let entries = module.filters.iter().flatten();
            entries.map(|entry| RemoteRoute::new(module, entry))
        });
        let filters = sort(filters.collect());
        let authenticates = enabled.values().any(|module| module.product() == AUTHTOKEN);
        TenantView {
            tenant,
            name,
            description,
            authenticates,
            withheld,
            remote: routes(InterfaceDescriptor::is_proxied),
            multiple: routes(|interface| interface.is_type("multiple")),
            filters,
            enabled,
        }
    }

    /// Whether the native provider of an interface serves this tenant.
    #[must_use]
    pub fn serves(&self, interface: &str) -> bool {
        self.withheld.is_empty() || !self.withheld.contains(interface)
    }

    /// The route of a remote module for a request; of the module that the client names, when it
    /// names one.
    #[must_use]
    pub fn remote(
        &self,
        method: &str,
        path: &str,
        module_id: Option<&str>,
    ) -> Option<&RemoteRoute> {
        let fits = |route: &&RemoteRoute| route.entry.is_for(method, path);
        match module_id {
            None => self.remote.iter().find(fits),
            Some(id) => self
                .multiple
                .iter()
                .filter(fits)
                .find(|route| route.module.id == id),
        }
    }

    /// The filters that a request goes through, in the order of their phases.
    #[must_use]
    pub fn filters(&self, method: &str, path: &str) -> Vec<RemoteRoute> {
        if self.filters.is_empty() {
            return Vec::new();
        }
        let fitting = self
            .filters
            .iter()
            .filter(|one| one.entry.is_for(method, path));
        let mut fitting: Vec<RemoteRoute> = fitting.cloned().collect();
        fitting.sort_by(|one, other| one.entry.place().cmp(other.entry.place()));
        fitting
    }

    /// The remote module that provides an interface.
    #[must_use]
    pub fn provider(&self, interface: &str) -> Option<&Arc<ModuleDescriptor>> {
        let mut remote = self.enabled.values().filter(|module| !module.native);
        remote.find(|module| {
            module
                .provides()
                .any(|one| one.id == interface && one.is_proxied())
        })
    }
}

impl RemoteRoute {
    fn new(module: &Arc<ModuleDescriptor>, entry: &RoutingEntry) -> RemoteRoute {
        RemoteRoute {
            module: Arc::clone(module),
            entry: Arc::new(entry.clone()),
        }
    }
}

/// Those with the longest fixed beginning come first: `/users/{id}` before `/*`.
fn sort(mut routes: Vec<RemoteRoute>) -> Vec<RemoteRoute> {
    routes.sort_by_key(|route| {
        let pattern = route.entry.static_path();
        std::cmp::Reverse(pattern.find(['{', '*']).unwrap_or(pattern.len() + 1))
    });
    routes
}
