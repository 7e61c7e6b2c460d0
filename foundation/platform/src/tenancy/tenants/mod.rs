//! The tenants of this installation: which exist, which can be served, and how they are created and
//! upgraded. Operators' operations are in `tenants::life`.

mod announced;
mod declared;
mod id;
mod life;
mod readiness;
mod rows;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use octavo_boxed::boxed;
use octavo_records::{Provisioned, Store, StoreError, Tenant, TenantMark, TenantState};
use tokio::sync::Semaphore;

use crate::identity::Permissions;
use crate::invalidation_barrier::InvalidationBarrier;
use crate::module::Module;
use crate::registry::store::tenant_modules;
use crate::token::Incarnation;

pub use id::{TenantIdRefusal, tenant_of};
pub use life::{NewTenant, SampleData, SampleLoading, TenantDescriptor, TenantRefusal};
pub use readiness::{AGAIN_AFTER, NotReady};

use declared::Declared;
pub use declared::steps;
use readiness::TenantReadiness;
use rows::ReferenceScope;

/// The most tenants that one process creates, upgrades or deletes at the same time. Each takes two
/// connections of the pool, and some thousand of the database's locks.
const WORK_MAX: usize = 2;
/// The most retries of a look-up when tenants are created or deleted meanwhile.
const LOOK_UPS_MAX: usize = 5;

/// The tenant whose users operate the installation.
pub const SUPERTENANT: &str = "supertenant";

/// The tenants that this process has seen.
pub struct Tenants {
    pub(crate) store: Store,
    modules: Arc<[Module]>,
    pub(crate) permissions: Arc<Permissions>,
    barrier: Arc<InvalidationBarrier>,
    /// Further tenants whose users may operate the installation.
    operators: Vec<String>,
    known: RwLock<HashMap<String, Arc<TenantReadiness>>>,
    /// Whether notifications of created and deleted tenants arrive; otherwise each request asks the
    /// database.
    listening: AtomicBool,
    /// Counts notifications, so that the result of a look-up that began before one is not cached.
    notices: AtomicU64,
    declared: OnceLock<Declared>,
    work: Semaphore,
    /// How many tenants this process has created or upgraded.
    completed: AtomicU64,
    samples: OnceLock<Arc<dyn SampleData>>,
}

impl std::fmt::Debug for Tenants {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tenants")
            .field("completed", &self.completed)
            .finish_non_exhaustive()
    }
}

impl Tenants {
    pub(crate) fn new(
        store: Store,
        modules: Arc<[Module]>,
        permissions: Arc<Permissions>,
        barrier: Arc<InvalidationBarrier>,
        operators: Vec<String>,
    ) -> Tenants {
        Tenants {
            store,
            modules,
            permissions,
            barrier,
            operators,
            known: RwLock::default(),
            listening: AtomicBool::new(false),
            notices: AtomicU64::new(0),
            declared: OnceLock::new(),
            work: Semaphore::new(WORK_MAX),
            completed: AtomicU64::new(0),
            samples: OnceLock::new(),
        }
    }

    /// Whether users of a tenant may operate the installation.
    #[must_use]
    pub fn is_operator(&self, tenant: &Tenant) -> bool {
        tenant.id() == SUPERTENANT || self.operators.iter().any(|id| id == tenant.id())
    }

    /// Whether a tenant is in the cache.
    #[must_use]
    pub fn known(&self, id: &str) -> bool {
        self.cached(id).is_some()
    }

    /// How many tenants this process has created or upgraded.
    #[must_use]
    pub fn completed(&self) -> u64 {
        self.completed.load(Ordering::Relaxed)
    }

    /// Whether a tenant exists; one that another process created is found too.
    #[boxed]
    pub async fn exists(&self, tenant: &Tenant) -> Result<bool, StoreError> {
        Ok(self.look_up(tenant).await?.is_some())
    }

    /// The tenant's incarnation; `None` when there is no such tenant.
    #[boxed]
    pub async fn incarnation(&self, tenant: &Tenant) -> Result<Option<Incarnation>, StoreError> {
        let known = self.look_up(tenant).await?;
        Ok(known.map(|known| known.incarnation))
    }

    /// Creates or completes a tenant: tables, reference data, permissions, and the indexes of new
    /// tables; those of others are left to [`Store::build_indexes`]. Idempotent, and safe to run
    /// from two processes at once: one does the work, the others wait.
    ///
    /// # Errors
    /// When a step fails, or reference data does not fit its collection.
    #[boxed]
    pub async fn provision(&self, tenant: &Tenant, name: &str) -> Result<Provisioned, StoreError> {
        let lock = self.lock_tenant(tenant).await?;
        let mark = self
            .store
            .tenant_entry(tenant)
            .await?
            .map(|entry| entry.mark);
        let new = NewTenant {
            name: Some(name.to_owned()),
            ..NewTenant::default()
        };
        let mark = mark.as_ref();
        let completing = self.complete(tenant, &new, mark);
        let outcome = Box::pin(completing).await;
        lock.end().await;
        outcome
    }

    /// Upgrades a tenant whose lock is held. `mark` is its present state; `new` is used if it has
    /// none yet.
    async fn complete(
        &self,
        tenant: &Tenant,
        new: &NewTenant,
        mark: Option<&TenantMark>,
    ) -> Result<Provisioned, StoreError> {
        let (store, modules, declared) = (&self.store, &self.modules, self.declared());
        let steps = steps(modules);
        let outcome = store.provision(tenant, &steps).await?;
        let reference_wanted = mark.map_or(new.reference, |mark| mark.reference_wanted);
        let mut reference = mark.map_or_else(HashMap::new, |mark| mark.reference.clone());
        let chosen = tenant_modules(&store.database, tenant.id()).await?;
        let has = |module: &&Module| announced::has(module.name, chosen.as_ref(), new);
        let wanted = match reference_wanted {
            true => ReferenceScope::All,
            false => ReferenceScope::AsBefore,
        };
        let (own, checksums) = (modules.iter().filter(has), &declared.reference);
        let given = rows::write_rows(store, tenant, own, checksums, wanted, &reference).await?;
        reference.extend(given);
        let announced: Vec<&Module> = modules.iter().filter(has).collect();
        announced::announce(store, &announced, &*self.permissions.directory, tenant).await?;
        let state = TenantState {
            name: new.name.as_deref().unwrap_or(tenant.id()),
            description: new.description.as_deref(),
            prepared: &declared.fingerprint,
            lacks_indexes: !outcome.pending_indexes.is_empty(),
            reference_wanted,
            reference: &reference,
        };
        store.save_tenant(tenant, state).await?;
        self.completed.fetch_add(1, Ordering::Relaxed);
        Ok(outcome)
    }

    /// The checksums of the declarations; computed once.
    fn declared(&self) -> &Declared {
        let of_modules = || Declared::of(&self.store, &self.modules);
        self.declared.get_or_init(of_modules)
    }

    /// The fingerprint of this release; a tenant with the same one needs no upgrade.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.declared().fingerprint
    }

    /// The tenants that this process has seen.
    pub(crate) fn all_known(&self) -> Vec<Tenant> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.keys().filter_map(|id| Tenant::new(id).ok()).collect()
    }

    fn cached(&self, id: &str) -> Option<Arc<TenantReadiness>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(id).cloned()
    }

    /// The cached or stored state of a tenant; `None` when there is no such tenant.
    async fn look_up(&self, tenant: &Tenant) -> Result<Option<Arc<TenantReadiness>>, StoreError> {
        if self.listening.load(Ordering::Acquire)
            && let Some(known) = self.cached(tenant.id())
        {
            return Ok(Some(known));
        }
        let mut found = None;
        for _ in 0..LOOK_UPS_MAX {
            let notices = self.notices.load(Ordering::Acquire);
            // Boxed, so that requests for known tenants do not reserve memory for it.
            let entry = Box::pin(self.store.tenant_entry(tenant)).await?;
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            let cached = known.get(tenant.id()).cloned();
            found = entry.map(|entry| match cached {
                Some(cached) if cached.incarnation.id == entry.mark.incarnation => cached,
                _ => Arc::new(TenantReadiness::new(Incarnation {
                    id: entry.mark.incarnation,
                    since: entry.created_at.as_second(),
                })),
            });
            // A notification that arrived meanwhile may be newer than what was read.
            if self.notices.load(Ordering::Acquire) == notices {
                match &found {
                    Some(one) => known.insert(tenant.id().to_owned(), Arc::clone(one)),
                    None => known.remove(tenant.id()),
                };
                break;
            }
        }
        Ok(found)
    }
}
