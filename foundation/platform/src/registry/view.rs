//! One tenant's view of the registry: its enabled modules, its native interfaces, and the routes of
//! its remote modules.

use std::collections::HashSet;
use std::sync::Arc;

use octavo_records::Tenant;

use super::descriptor::{InterfaceDescriptor, ModuleDescriptor, RoutingEntry};
use super::resolve::Modules;

/// The product without which a tenant's requests need no token.
pub const AUTHTOKEN: &str = "mod-authtoken";

/// One tenant with its modules.
#[derive(Debug)]
pub struct TenantView {
    pub tenant: Tenant,
    pub name: String,
    pub description: Option<String>,
    pub enabled: Modules,
    /// Whether requests need a token.
    pub authenticates: bool,
    /// Native interfaces that it does not have, because their module is disabled or a remote one
    /// has taken them over.
    withheld: HashSet<String>,
    /// Native modules that it does not have.
    disabled: HashSet<String>,
    remote: Vec<RemoteRoute>,
    multiple: Vec<RemoteRoute>,
    filters: Vec<RemoteRoute>,
}

/// A route or filter of a remote module.
#[derive(Debug, Clone)]
pub struct RemoteRoute {
    pub module: Arc<ModuleDescriptor>,
    pub entry: Arc<RoutingEntry>,
}

impl TenantView {
    /// A tenant's view of these modules; `native` lists all native ones.
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
        let (mut withheld, mut offered) = (HashSet::new(), HashSet::new());
        let mut disabled = HashSet::new();
        for module in native {
            let is_disabled = !enabled.contains_key(&module.id);
            if is_disabled {
                disabled.insert(module.id.clone());
            }
            for interface in module.provides().filter(|one| !one.is_system()) {
                match is_disabled || taken_over.contains(interface.id.as_str()) {
                    true => withheld.insert(interface.id.clone()),
                    false => offered.insert(interface.id.as_str()),
                };
            }
        }
        // Several modules may provide one interface.
        withheld.retain(|interface| !offered.contains(interface.as_str()));
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
            disabled,
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

    /// Whether a native module serves this tenant with one of its interfaces.
    #[must_use]
    pub fn serves_by(&self, module: &str, interface: &str) -> bool {
        self.serves(interface) && (self.disabled.is_empty() || !self.disabled.contains(module))
    }

    /// The route of a remote module for a request; only of the module that the client names, if it
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

    /// The filters for a request, in the order of their phases.
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

/// Sorts patterns with the longest literal prefix first: `/users/{id}` before `/*`.
fn sort(mut routes: Vec<RemoteRoute>) -> Vec<RemoteRoute> {
    routes.sort_by_key(|route| {
        let pattern = route.entry.static_path();
        std::cmp::Reverse(pattern.find(['{', '*']).unwrap_or(pattern.len() + 1))
    });
    routes
}
