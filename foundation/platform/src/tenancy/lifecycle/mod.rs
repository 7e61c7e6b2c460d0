//! Enables, upgrades and disables a tenant's modules: the planned steps are carried out one after
//! the other, and each is stored as soon as it is done.
//!
//! One installation at a time works on a tenant's modules, in whatever process: others wait.

mod job;
mod options;
mod permissions;
mod tenant_interface;

use std::collections::HashSet;
use std::sync::Arc;

use octavo_boxed::boxed;
use octavo_postgres::{DatabaseError, Transaction};
use octavo_records::{StoreError, Tenant};

pub use job::Job;
pub use options::InstallOptions;

use crate::invalidation_barrier::InvalidationBarrier;
use crate::platform::Platform;
use crate::proxy::Remotes;
use crate::registry::module_id::ModuleId;
use crate::registry::resolve::{self, Action, Step};
use crate::registry::view::AUTHTOKEN;
use crate::registry::{ModuleDescriptor, Modules, Registry, TenantView, always, store};
use crate::tenants::Tenants;

/// Why modules are not changed.
#[derive(Debug, thiserror::Error)]
pub enum LifecycleRefusal {
    #[error("{0}")]
    NoTenant(String),
    #[error("{0}")]
    NoModule(String),
    /// A conflict, as the message says.
    #[error("{0}")]
    Refused(String),
    /// The caller lacks permission.
    #[error("{0}")]
    Forbidden(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DatabaseError> for LifecycleRefusal {
    #[track_caller]
    fn from(error: DatabaseError) -> LifecycleRefusal {
        LifecycleRefusal::Store(error.into())
    }
}

/// The parts of the platform that are needed to change modules.
#[derive(Debug, Clone)]
pub struct Parts {
    registry: Arc<Registry>,
    tenants: Arc<Tenants>,
    remotes: Arc<Remotes>,
    barrier: Arc<InvalidationBarrier>,
}

impl Parts {
    pub(crate) fn of(platform: &Platform) -> Parts {
        Parts {
            registry: Arc::clone(&platform.registry),
            tenants: Arc::clone(&platform.tenants),
            remotes: Arc::clone(&platform.remotes),
            barrier: Arc::clone(&platform.barrier),
        }
    }
}

/// The lock on a tenant's modules, held until it is dropped.
pub struct ModulesLock {
    parts: Parts,
    tenant: Tenant,
    _lock: Transaction,
}

impl std::fmt::Debug for ModulesLock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Turn")
            .field("tenant", &self.tenant.id())
            .finish_non_exhaustive()
    }
}

impl ModulesLock {
    /// Waits for the lock, and then reads the tenant's state.
    ///
    /// # Errors
    /// When there is no such tenant, or another installation takes too long.
    #[boxed]
    pub async fn acquire(
        platform: &Platform,
        tenant: &Tenant,
    ) -> Result<ModulesLock, LifecycleRefusal> {
        let lock = store::lock_modules(&platform.store.database, tenant.id()).await?;
        let parts = Parts::of(platform);
        parts.registry.load().await?;
        let turn = ModulesLock {
            parts,
            tenant: tenant.clone(),
            _lock: lock,
        };
        turn.view()?;
        Ok(turn)
    }

    fn view(&self) -> Result<Arc<TenantView>, LifecycleRefusal> {
        let id = self.tenant.id();
        let view = self.parts.registry.known(id);
        view.ok_or_else(|| LifecycleRefusal::NoTenant(id.to_owned()))
    }

    /// The steps that fulfil wishes; without wishes, those that upgrade every module to its latest
    /// version.
    ///
    /// # Errors
    /// The conflicts.
    pub fn plan(
        &self,
        wishes: Option<Vec<Step>>,
        options: &InstallOptions,
    ) -> Result<Vec<Step>, LifecycleRefusal> {
        let state = self.parts.registry.state();
        let enabled = &self.view()?.enabled;
        let available: Modules = state
            .modules
            .iter()
            .filter(|(id, _)| ModuleId::parse(id).is_ok_and(|id| options.takes(&id)))
            .map(|(id, module)| (id.clone(), Arc::clone(module)))
            .collect();
        let wishes = wishes.unwrap_or_else(|| upgrades(&available, enabled));
        let mut steps = if options.check_dependencies {
            resolve::plan(&available, enabled, wishes, options.reinstall)
                .map_err(LifecycleRefusal::Refused)?
        } else {
            let with_action = |mut step: Step| {
                step.action = step.action.or(Some(Action::Enable));
                step
            };
            wishes.into_iter().map(with_action).collect()
        };
        if self.purges_everything(&steps, options)? {
            // `mod-authtoken` is disabled last, when no module is left that a request without a
            // token could reach.
            steps.sort_by_key(|step| ModuleId::product_of(&step.id) == AUTHTOKEN);
            return Ok(steps);
        }
        for step in &steps {
            self.allow(step)?;
        }
        Ok(steps)
    }

    /// Whether steps disable and purge every module of the tenant.
    ///
    /// # Errors
    /// When the tenant has been deleted.
    pub fn purges_everything(
        &self,
        steps: &[Step],
        options: &InstallOptions,
    ) -> Result<bool, LifecycleRefusal> {
        Ok(options.purge && leaves_nothing(&self.view()?.enabled, steps))
    }

    /// The work after the last step when all modules were disabled and purged: the tables are
    /// created anew.
    #[boxed]
    pub async fn clear_up(&self, options: &InstallOptions) -> Result<(), LifecycleRefusal> {
        let left = &self.view()?.enabled;
        // A step that failed and was ignored has left a module enabled.
        if !options.whole || !left.values().all(|module| always(module)) {
            return Ok(());
        }
        let cleared = self.parts.tenants.clear(&self.tenant);
        let cleared = Box::pin(cleared).await;
        cleared.map_err(|refusal| LifecycleRefusal::Refused(refusal.to_string()))
    }

    /// Refuses steps that are not allowed.
    fn allow(&self, step: &Step) -> Result<(), LifecycleRefusal> {
        if step.action != Some(Action::Disable) {
            return Ok(());
        }
        if ModuleId::product_of(&step.id) == AUTHTOKEN && !self.parts.registry.allow_disable_auth {
            return Err(LifecycleRefusal::Forbidden(format!(
                "{} cannot be disabled: without it, requests of tenant {} would need no token. \
                 A server that is started with --allow-disable-auth permits it",
                step.id,
                self.tenant.id()
            )));
        }
        Ok(())
    }

    /// Announces the permissions of all modules that are about to be enabled, if all of them are
    /// native: the tenant's definitions are read once and not for each. A refusal is reported
    /// later, with the module's own step.
    #[boxed]
    pub async fn announce_together(&self, steps: &[Step]) -> Result<(), LifecycleRefusal> {
        let state = self.parts.registry.state();
        let coming = steps
            .iter()
            .filter(|step| step.action == Some(Action::Enable));
        let modules: Option<Vec<_>> = coming
            .map(|step| state.modules.get(&step.id).filter(|module| module.native))
            .collect();
        match modules {
            Some(modules) if modules.len() > 1 => {
                permissions::announce_together(&self.parts.tenants, &self.tenant, &modules).await
            }
            _ => Ok(()),
        }
    }

    /// Carries one step out.
    ///
    /// # Errors
    /// Why the module was not changed.
    #[boxed]
    pub async fn carry_out(
        &self,
        step: &Step,
        options: &InstallOptions,
    ) -> Result<(), LifecycleRefusal> {
        let state = self.parts.registry.state();
        let module = |id: &str| {
            let found = state.modules.get(id).cloned();
            found.ok_or_else(|| LifecycleRefusal::NoModule(id.to_owned()))
        };
        if step.action == Some(Action::Disable) && always(&*module(&step.id)?) {
            // The gateway itself stays enabled; a client that disables all modules of a tenant need
            // not leave it out.
            return Ok(());
        }
        let (from, to) = match step.action {
            Some(Action::Enable) => {
                let from = step.from.as_deref().map(module).transpose()?;
                (from, Some(module(&step.id)?))
            }
            Some(Action::Disable) => (Some(module(&step.id)?), None),
            _ => return Ok(()),
        };
        self.exchange(from, to, options).await
    }

    async fn exchange(
        &self,
        from: Option<Arc<ModuleDescriptor>>,
        to: Option<Arc<ModuleDescriptor>>,
        options: &InstallOptions,
    ) -> Result<(), LifecycleRefusal> {
        let view = self.view()?;
        let (from_old, to_new) = (from.as_deref(), to.as_deref());
        let Parts {
            tenants, remotes, ..
        } = &self.parts;
        permissions::announce(tenants, remotes, &view, from_old, to_new, options).await?;
        let from_told = if to.is_some() && options.purge {
            // Enabled with `purge`: its earlier data is deleted first.
            if let Some(to) = &to {
                let purged = self
                    .call_tenant_interface(&view, Some(to), None, options)
                    .await;
                if let Err(error) = purged {
                    tracing::info!(module = to.id, %error, "nothing was purged");
                }
            }
            None
        } else {
            from.as_ref()
        };
        self.call_tenant_interface(&view, from_told, to.as_ref(), options)
            .await?;
        let database = &tenants.store.database;
        let tenant = self.tenant.id();
        match (&from, &to) {
            (from, Some(to)) => {
                let replaced = from
                    .as_ref()
                    .map(|from| stored_id(from))
                    .filter(|id| *id != stored_id(to));
                store::set_enabled(database, tenant, stored_id(to), true, replaced).await?;
            }
            (Some(from), None) => {
                store::set_enabled(database, tenant, stored_id(from), false, None).await?;
                if from.product() == AUTHTOKEN {
                    tracing::warn!(
                        tenant,
                        "mod-authtoken is disabled: requests of this tenant pass without a token \
                         until it is enabled again"
                    );
                }
            }
            (None, None) => {}
        }
        self.parts.registry.load().await?;
        self.parts.barrier.settle().await;
        Ok(())
    }

    /// Calls a module's `_tenant` interface; for a native module, does its work directly.
    async fn call_tenant_interface(
        &self,
        view: &TenantView,
        from: Option<&Arc<ModuleDescriptor>>,
        to: Option<&Arc<ModuleDescriptor>>,
        options: &InstallOptions,
    ) -> Result<(), LifecycleRefusal> {
        let Some(module) = to.or(from) else {
            return Ok(());
        };
        if !options.invokes(&module.id) {
            return Ok(());
        }
        if !module.native {
            let change = tenant_interface::Change {
                from: from.map(|one| one.id.as_str()),
                to: to.map(|one| one.id.as_str()),
                purge: to.is_none() && options.purge,
                parameters: &options.parameters,
            };
            return tenant_interface::remote(&self.parts.remotes, view, module, &change)
                .await
                .map_err(LifecycleRefusal::Refused);
        }
        if to.is_none() && options.purge {
            let (database, tenant) = (&self.parts.tenants.store.database, self.tenant.id());
            store::note_purge(database, tenant, module.product()).await?;
        }
        match to {
            Some(_) => {
                let reference = options.parameter("loadReference");
                self.parts
                    .tenants
                    .load_rows(&self.tenant, module.product(), reference)
                    .await
            }
            // All modules are purged, and their tables are dropped as a whole.
            None if options.whole => return Ok(()),
            None if options.purge => {
                let modules = &self.parts.registry.modules;
                let declared = modules.iter().find(|one| one.id() == module.id);
                let collections = declared.into_iter().flat_map(|one| &one.collections);
                let tables: Vec<String> = collections.map(|one| one.table.clone()).collect();
                let others = declared.into_iter().flat_map(|one| &one.tables);
                let emptied: Vec<String> = tables
                    .iter()
                    .cloned()
                    .chain(others.map(|one| (*one).to_owned()))
                    .collect();
                let tenants = &self.parts.tenants;
                store::purge(&tenants.store.database, self.tenant.schema(), &emptied)
                    .await
                    .map_err(|error| purge_refusal(&module.id, &error))?;
                let forgotten = tenants.forget_rows(&self.tenant, &tables);
                return Ok(forgotten.await?);
            }
            _ => return Ok(()),
        }
        .map_err(|refusal| LifecycleRefusal::Refused(refusal.to_string()))
    }

    /// The work after the last step: loads the sample library, if it was requested and a native
    /// module was enabled.
    ///
    /// # Errors
    /// When it cannot be loaded.
    #[boxed]
    pub async fn load_samples(&self, steps: &[Step]) -> Result<(), LifecycleRefusal> {
        let state = self.parts.registry.state();
        let native = |step: &Step| {
            step.action == Some(Action::Enable)
                && state
                    .modules
                    .get(&step.id)
                    .is_some_and(|module| module.native)
        };
        if !steps.iter().any(native) {
            return Ok(());
        }
        let loaded = self.parts.tenants.load_samples(&self.tenant).await;
        loaded
            .map(|_| ())
            .map_err(|refusal| LifecycleRefusal::Refused(refusal.to_string()))
    }
}

/// Whether steps disable every module of a tenant except the gateway, and enable none.
fn leaves_nothing(enabled: &Modules, steps: &[Step]) -> bool {
    let mut goes = HashSet::new();
    for step in steps {
        match step.action {
            Some(Action::Disable) => goes.insert(step.id.as_str()),
            _ => return false,
        };
    }
    let mut own = enabled.values().filter(|module| !always(module));
    own.all(|module| goes.contains(module.id.as_str()))
}

fn purge_refusal(module: &str, error: &DatabaseError) -> LifecycleRefusal {
    LifecycleRefusal::Refused(format!(
        "Tenant operation failed for module {module}: its records cannot be removed while records \
         of other modules refer to them: {error}"
    ))
}

/// The key under which a module's state is stored: native modules by product, since their version
/// changes with the release.
fn stored_id(module: &ModuleDescriptor) -> &str {
    if module.native {
        module.product()
    } else {
        &module.id
    }
}

fn upgrades(available: &Modules, enabled: &Modules) -> Vec<Step> {
    let later = enabled.keys().filter_map(|id| {
        let latest = ModuleId::parse(id)
            .ok()?
            .latest(available.keys().map(String::as_str));
        (latest != *id).then(|| Step::enable(&latest, Some(id.clone())))
    });
    later.collect()
}
