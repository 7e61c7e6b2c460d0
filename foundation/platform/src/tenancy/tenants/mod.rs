//! The tenants of this installation: which there are, whether they can be served, and how one is
//! made or brought up to date. Their lives from outside are `tenants::life`'s business.

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
use octavo_records::{Enlisting, Provisioned, Store, StoreError, Tenant, TenantMark};
use tokio::sync::Semaphore;

use crate::identity::Permissions;
use crate::invalidation_barrier::InvalidationBarrier;
use crate::module::Module;
use crate::registry::store::choice;
use crate::token::Incarnation;

pub use id::{TenantIdRefusal, tenant_of};
pub use life::{NewTenant, SampleData, SampleLoading, TenantDescriptor, TenantRefusal};
pub use readiness::{AGAIN_AFTER, NotReady};

use declared::Declared;
pub use declared::steps;
use readiness::TenantReadiness;
use rows::ReferenceScope;

/// Tenants that one process makes, brings up to date or removes at the same time. Each takes two
/// connections of the pool, and some thousand of the database's locks.
const WORK_MAX: usize = 2;
/// How often a look-up is done again when tenants come and go meanwhile.
const LOOK_UPS_MAX: usize = 5;

/// The tenant whose users run the installation.
pub const SUPERTENANT: &str = "supertenant";

/// The tenants, as far as this process has met them.
pub struct Tenants {
    pub(crate) store: Store,
    modules: Arc<[Module]>,
    pub(crate) permissions: Arc<Permissions>,
    barrier: Arc<InvalidationBarrier>,
    /// Tenants whose users may run the installation, beside those of the supertenant.
    operators: Vec<String>,
    known: RwLock<HashMap<String, Arc<TenantReadiness>>>,
    /// Whether the database tells of tenants that come and go; else each request asks it.
    listening: AtomicBool,
    /// Counts what was heard, so that a look-up that began before is not kept after.
    heard: AtomicU64,
    declared: OnceLock<Declared>,
    work: Semaphore,
    /// How many tenants this process brought up to date.
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
            heard: AtomicU64::new(0),
            declared: OnceLock::new(),
            work: Semaphore::new(WORK_MAX),
            completed: AtomicU64::new(0),
            samples: OnceLock::new(),
        }
    }

    /// Whether users of a tenant may run the installation.
    #[must_use]
    pub fn is_operator(&self, tenant: &Tenant) -> bool {
        tenant.id() == SUPERTENANT || self.operators.iter().any(|id| id == tenant.id())
    }

    /// Whether a tenant is known without asking the database.
    #[must_use]
    pub fn known(&self, id: &str) -> bool {
        self.kept(id).is_some()
    }

    /// How many tenants this process made or brought up to date.
    #[must_use]
    pub fn completed(&self) -> u64 {
        self.completed.load(Ordering::Relaxed)
    }

    /// Whether a tenant exists; one that another process made is noticed here.
    #[boxed]
    pub async fn exists(&self, tenant: &Tenant) -> Result<bool, StoreError> {
        Ok(self.look_up(tenant).await?.is_some())
    }

    /// Which tenant of its id it is; nothing when there is none.
    #[boxed]
    pub async fn incarnation(&self, tenant: &Tenant) -> Result<Option<Incarnation>, StoreError> {
        let known = self.look_up(tenant).await?;
        Ok(known.map(|known| known.incarnation))
    }

    /// Makes a tenant, or completes one: tables, reference data, permissions, and the indexes of tables
    /// made here; those of others are left to [`Store::build_indexes`]. Safe to repeat, and to run
    /// from two processes at once: one does it, the others wait.
    ///
    /// # Errors
    /// When the database refuses a step, or reference data does not fit its collection.
    #[boxed]
    pub async fn provision(&self, tenant: &Tenant, name: &str) -> Result<Provisioned, StoreError> {
        let turn = self.turn(tenant).await?;
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
        turn.end().await;
        outcome
    }

    /// Brings a tenant up to date that only this process works on now. `mark` is how far it is;
    /// `new` is used where it is nothing yet.
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
        let chosen = choice(&store.database, tenant.id()).await?;
        let has = |module: &&Module| announced::has(module.name, chosen.as_ref(), new);
        let wanted = match reference_wanted {
            true => ReferenceScope::All,
            false => ReferenceScope::AsBefore,
        };
        let (own, checksums) = (modules.iter().filter(has), &declared.reference);
        let given = rows::give(store, tenant, own, checksums, wanted, &reference).await?;
        reference.extend(given);
        let announced: Vec<&Module> = modules.iter().filter(has).collect();
        announced::announce(store, &announced, &*self.permissions.directory, tenant).await?;
        let enlisting = Enlisting {
            name: new.name.as_deref().unwrap_or(tenant.id()),
            description: new.description.as_deref(),
            prepared: &declared.fingerprint,
            lacks_indexes: !outcome.pending_indexes.is_empty(),
            reference_wanted,
            reference: &reference,
        };
        store.enlist(tenant, enlisting).await?;
        self.completed.fetch_add(1, Ordering::Relaxed);
        Ok(outcome)
    }

    /// What preparing a tenant depends on; found out once.
    fn declared(&self) -> &Declared {
        let of_modules = || Declared::of(&self.store, &self.modules);
        self.declared.get_or_init(of_modules)
    }

    /// The fingerprint of what tenants are brought up to date with; a tenant that carries the same
    /// one needs nothing.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.declared().fingerprint
    }

    /// The tenants that this process has met.
    pub(crate) fn all_known(&self) -> Vec<Tenant> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.keys().filter_map(|id| Tenant::new(id).ok()).collect()
    }

    fn kept(&self, id: &str) -> Option<Arc<TenantReadiness>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(id).cloned()
    }

    /// What is known of a tenant; nothing when there is none.
    async fn look_up(&self, tenant: &Tenant) -> Result<Option<Arc<TenantReadiness>>, StoreError> {
        if self.listening.load(Ordering::Acquire)
            && let Some(known) = self.kept(tenant.id())
        {
            return Ok(Some(known));
        }
        let mut found = None;
        for _ in 0..LOOK_UPS_MAX {
            let heard = self.heard.load(Ordering::Acquire);
            // Boxed, so that requests for tenants that are known do not carry room for it.
            let entry = Box::pin(self.store.tenant_entry(tenant)).await?;
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            let kept = known.get(tenant.id()).cloned();
            found = entry.map(|entry| match kept {
                Some(kept) if kept.incarnation.id == entry.mark.incarnation => kept,
                _ => Arc::new(TenantReadiness::new(Incarnation {
                    id: entry.mark.incarnation,
                    since: entry.created_at.as_second(),
                })),
            });
            // What was told meanwhile may be later than what was read.
            if self.heard.load(Ordering::Acquire) == heard {
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
