//! The operations of operators and of Okapi's clients on tenants: create, describe, upgrade, purge.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use octavo_boxed::boxed;
use octavo_records::{Provisioned, Purged, Store, StoreError, Tenant, TenantEntry, TenantMark};

use super::rows::{self, ReferenceScope};
use super::{TenantIdRefusal, Tenants, tenant_of};
use crate::registry;

/// The properties of a new tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTenant {
    /// The name; by default the id.
    pub name: Option<String>,
    pub description: Option<String>,
    /// Whether it gets the areas' reference data.
    pub reference: bool,
    /// Whether all native modules are enabled at first, or none.
    pub native_modules: bool,
}

impl Default for NewTenant {
    fn default() -> NewTenant {
        NewTenant {
            name: None,
            description: None,
            reference: true,
            native_modules: true,
        }
    }
}

/// A tenant in Okapi's form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantDescriptor {
    pub id: String,
    pub name: String,
    pub description: Option<String>,
    /// Whether this release has upgraded it.
    pub prepared: bool,
}

/// Why an operation on a tenant failed.
#[derive(Debug, thiserror::Error)]
pub enum TenantRefusal {
    /// The id is invalid.
    #[error(transparent)]
    Id(#[from] TenantIdRefusal),
    #[error("Duplicate tenant id {0}")]
    Duplicate(String),
    #[error("{0}")]
    Unknown(String),
    #[error("sample data: {0}")]
    Sample(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The future of a load: the number of records of each table.
pub type SampleLoading =
    Pin<Box<dyn Future<Output = Result<Vec<(&'static str, u64)>, String>> + Send>>;

/// A small sample library; the platform itself has none.
pub trait SampleData: Send + Sync {
    /// Loads it into a tenant with reference data: all of it, or nothing with the reason.
    fn load(&self, store: Store, tenant: Tenant) -> SampleLoading;
}

impl fmt::Debug for dyn SampleData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SampleData")
    }
}

impl Tenants {
    /// Sets the sample data; only the first call has an effect.
    pub fn set_samples(&self, samples: Arc<dyn SampleData>) {
        let _ = self.samples.set(samples);
    }

    /// Creates a tenant with all its tables. Of two concurrent calls for the same id one succeeds
    /// and the other gets [`TenantRefusal::Duplicate`]; a purge in progress is waited for.
    ///
    /// # Errors
    /// When the id is invalid or taken.
    #[boxed]
    pub async fn create(&self, id: &str, new: &NewTenant) -> Result<Tenant, TenantRefusal> {
        let tenant = tenant_of(id)?;
        let store = &self.store;
        let duplicate = || TenantRefusal::Duplicate(tenant.id().to_owned());
        if store.tenant_entry(&tenant).await?.is_some() {
            return Err(duplicate());
        }
        let lock = self.lock_tenant(&tenant).await?;
        if store.tenant_entry(&tenant).await?.is_some() {
            lock.end().await;
            return Err(duplicate());
        }
        // Boxed here and elsewhere: this future is too large for a caller's stack.
        let completing = self.complete(&tenant, new, None);
        let mut made = Box::pin(completing).await;
        if made.is_ok() && !new.native_modules {
            let set = registry::store::set_native_modules(&store.database, id, false).await;
            made = set.map_err(StoreError::from).and(made);
        }
        lock.end().await;
        made?;
        self.forget(&tenant);
        self.barrier.settle().await;
        Ok(tenant)
    }

    /// Upgrades a tenant, even one that is marked as upgraded: all tables and migrations are
    /// checked. Indexes of existing tables are left to [`Store::build_indexes`].
    ///
    /// # Errors
    /// When there is no such tenant, or a step fails: then nothing was changed.
    ///
    /// [`Store::build_indexes`]: octavo_records::Store::build_indexes
    #[boxed]
    pub async fn upgrade(&self, tenant: &Tenant) -> Result<Provisioned, TenantRefusal> {
        self.complete_existing(tenant, |_| ()).await
    }

    /// Loads the areas' reference data into a tenant that may have been created without. Existing
    /// records stay as they are.
    ///
    /// # Errors
    /// When there is no such tenant, or a record of its own conflicts.
    #[boxed]
    pub async fn load_reference(&self, tenant: &Tenant) -> Result<(), TenantRefusal> {
        let wanting = |mark: &mut TenantMark| mark.reference_wanted = true;
        self.complete_existing(tenant, wanting).await?;
        Ok(())
    }

    /// Loads the rows of a native module that the tenant has just enabled: those that it always
    /// has, and the reference data if requested. Existing records stay as they are.
    ///
    /// # Errors
    /// As [`Tenants::load_reference`].
    #[boxed]
    pub async fn load_rows(
        &self,
        tenant: &Tenant,
        module: &str,
        reference: bool,
    ) -> Result<(), TenantRefusal> {
        let wanted = match reference {
            true => ReferenceScope::Again,
            false => ReferenceScope::AsBefore,
        };
        let store = &self.store;
        let own = || self.modules.iter().filter(|one| one.name == module);
        if own().all(|one| one.reference.is_empty()) {
            return Ok(());
        }
        let checksums = &self.declared().reference;
        let lock = self.lock_tenant(tenant).await?;
        let outcome = async {
            let entry = store.tenant_entry(tenant).await?;
            let entry = entry.ok_or_else(|| TenantRefusal::Unknown(tenant.id().to_owned()))?;
            let had = &entry.mark.reference;
            let given = rows::write_rows(store, tenant, own(), checksums, wanted, had).await?;
            if !given.is_empty() {
                store.note_reference(tenant, &given, &[]).await?;
            }
            Ok(())
        };
        let outcome = outcome.await;
        lock.end().await;
        outcome
    }

    /// Resets a tenant whose modules were all purged: its tables are dropped as in a purge of the
    /// tenant, which itself stays.
    ///
    /// # Errors
    /// When there is no such tenant.
    #[boxed]
    pub async fn clear(&self, tenant: &Tenant) -> Result<(), TenantRefusal> {
        let store = &self.store;
        let lock = self.lock_tenant(tenant).await?;
        let remade = async {
            store.clear_tenant(lock.hold(), tenant).await?;
            let entry = store.tenant_entry(tenant).await?;
            let entry = entry.ok_or_else(|| TenantRefusal::Unknown(tenant.id().to_owned()))?;
            let nothing = NewTenant::default();
            let mark = Some(&entry.mark);
            let completing = self.complete(tenant, &nothing, mark);
            Box::pin(completing).await?;
            Ok(())
        };
        let remade = remade.await;
        lock.end().await;
        self.permissions.forget_tenant().await;
        self.forget(tenant);
        self.barrier.settle().await;
        remade
    }

    /// Deletes the record that a tenant was given a module's rows, which were deleted with its
    /// tables.
    #[boxed]
    pub async fn forget_rows(&self, tenant: &Tenant, tables: &[String]) -> Result<(), StoreError> {
        let nothing = HashMap::new();
        self.store.note_reference(tenant, &nothing, tables).await
    }

    async fn complete_existing(
        &self,
        tenant: &Tenant,
        change: impl FnOnce(&mut TenantMark),
    ) -> Result<Provisioned, TenantRefusal> {
        let store = &self.store;
        let lock = self.lock_tenant(tenant).await?;
        let completed = match store.tenant_entry(tenant).await {
            Ok(Some(mut entry)) => {
                change(&mut entry.mark);
                let nothing = NewTenant::default();
                let mark = Some(&entry.mark);
                let completing = self.complete(tenant, &nothing, mark);
                Box::pin(completing).await.map_err(TenantRefusal::Store)
            }
            Ok(None) => Err(TenantRefusal::Unknown(tenant.id().to_owned())),
            Err(error) => Err(error.into()),
        };
        lock.end().await;
        completed
    }

    /// Loads the sample data into a tenant; returns the number of records of each table.
    ///
    /// # Errors
    /// When this process has none, or it conflicts with existing records.
    #[boxed]
    pub async fn load_samples(
        &self,
        tenant: &Tenant,
    ) -> Result<Vec<(&'static str, u64)>, TenantRefusal> {
        let Some(samples) = self.samples.get() else {
            return Err(TenantRefusal::Sample("this server has none".to_owned()));
        };
        samples
            .load(self.store.clone(), tenant.clone())
            .await
            .map_err(TenantRefusal::Sample)
    }

    #[boxed]
    pub async fn list(&self) -> Result<Vec<TenantDescriptor>, TenantRefusal> {
        let entries = self.store.tenant_entries().await?;
        let described = entries.into_iter().map(|entry| self.descriptor(entry));
        Ok(described.collect())
    }

    #[boxed]
    pub async fn describe(&self, id: &str) -> Result<TenantDescriptor, TenantRefusal> {
        let unknown = || TenantRefusal::Unknown(id.chars().take(64).collect());
        let tenant = Tenant::new(id).map_err(|_| unknown())?;
        let entry = self.store.tenant_entry(&tenant).await?;
        let entry = entry.ok_or_else(unknown)?;
        Ok(self.descriptor(entry))
    }

    /// Changes the name and description of a tenant.
    #[boxed]
    pub async fn update_description(
        &self,
        id: &str,
        name: Option<&str>,
        description: Option<&str>,
    ) -> Result<TenantDescriptor, TenantRefusal> {
        let unknown = || TenantRefusal::Unknown(id.chars().take(64).collect());
        let tenant = Tenant::new(id).map_err(|_| unknown())?;
        let store = &self.store;
        let name = name.unwrap_or(id);
        match store.describe_tenant(&tenant, name, description).await? {
            true => self.describe(id).await,
            false => Err(unknown()),
        }
    }

    /// Deletes a tenant with all its records; from then on every process answers its requests like
    /// those of an unknown tenant. Requests in flight fail because their tables are gone.
    ///
    /// # Errors
    /// When there is no such tenant, or the database refuses: then nothing was changed.
    #[boxed]
    pub async fn purge(&self, id: &str) -> Result<Purged, TenantRefusal> {
        let unknown = || TenantRefusal::Unknown(id.chars().take(64).collect());
        let tenant = Tenant::new(id).map_err(|_| unknown())?;
        let store = &self.store;
        let lock = self.lock_tenant(&tenant).await?;
        let purged = store.purge_tenant(lock.hold(), &tenant).await;
        lock.end().await;
        let purged = purged?.ok_or_else(unknown)?;
        self.permissions.forget_tenant().await;
        self.forget(&tenant);
        self.barrier.settle().await;
        Ok(purged)
    }

    fn descriptor(&self, entry: TenantEntry) -> TenantDescriptor {
        let fingerprint = self.fingerprint();
        TenantDescriptor {
            prepared: entry.mark.prepared.as_deref() == Some(fingerprint),
            id: entry.id,
            name: entry.name,
            description: entry.description,
        }
    }
}
