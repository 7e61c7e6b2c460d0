//! A tenant's life as an operator or Okapi's clients direct it: made, described, removed.

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

/// What a tenant is made with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTenant {
    /// What people call it; its id without.
    pub name: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Whether it starts with the areas' reference data.
    pub reference: bool,
    /// Whether it has all native modules, or none before it is given some.
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

/// A tenant as Okapi describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantDescriptor {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it is.
    pub description: Option<String>,
    /// Whether this release has brought it up to date.
    pub prepared: bool,
}

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum TenantRefusal {
    /// There can be no tenant of this id.
    #[error(transparent)]
    Id(#[from] TenantIdRefusal),
    /// There is one.
    #[error("Duplicate tenant id {0}")]
    Duplicate(String),
    /// There is none.
    #[error("{0}")]
    Unknown(String),
    /// The sample data could not be loaded.
    #[error("sample data: {0}")]
    Sample(String),
    /// The database does not answer, or refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The future of a loading: how many records of each table.
pub type SampleLoading =
    Pin<Box<dyn Future<Output = Result<Vec<(&'static str, u64)>, String>> + Send>>;

/// A small library to try things out with, which the platform itself has none of.
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
    /// Hands in the sample data; the first who does is heard.
    pub fn set_samples(&self, samples: Arc<dyn SampleData>) {
        let _ = self.samples.set(samples);
    }

    /// Makes a tenant with all its tables. Of two who make the same one at once, one does and the
    /// other is told [`TenantRefusal::Duplicate`]; while one is being purged it is waited for.
    ///
    /// # Errors
    /// When there can be none of this id or there is one, or the database refuses.
    #[boxed]
    pub async fn create(&self, id: &str, new: &NewTenant) -> Result<Tenant, TenantRefusal> {
        let tenant = tenant_of(id)?;
        let store = &self.store;
        let duplicate = || TenantRefusal::Duplicate(tenant.id().to_owned());
        if store.tenant_entry(&tenant).await?.is_some() {
            return Err(duplicate());
        }
        let turn = self.turn(&tenant).await?;
        if store.tenant_entry(&tenant).await?.is_some() {
            turn.end().await;
            return Err(duplicate());
        }
        // Boxed here and elsewhere: what it takes to complete a tenant is much for a caller's stack.
        let completing = self.complete(&tenant, new, None);
        let mut made = Box::pin(completing).await;
        if made.is_ok() && !new.native_modules {
            let set = registry::store::set_native_modules(&store.database, id, false).await;
            made = set.map_err(StoreError::from).and(made);
        }
        turn.end().await;
        made?;
        self.forget(&tenant);
        self.barrier.settle().await;
        Ok(tenant)
    }

    /// Brings a tenant up to date, also one that is said to be: all tables and steps are looked at.
    /// Indexes of tables that exist are left to [`Store::build_indexes`].
    ///
    /// # Errors
    /// When there is no such tenant, or the database refuses: then nothing of it was changed.
    ///
    /// [`Store::build_indexes`]: octavo_records::Store::build_indexes
    #[boxed]
    pub async fn upgrade(&self, tenant: &Tenant) -> Result<Provisioned, TenantRefusal> {
        self.complete_existing(tenant, |_| ()).await
    }

    /// Gives a tenant the areas' reference data, which it may have been made without. Records that
    /// are there stay as they are.
    ///
    /// # Errors
    /// When there is no such tenant, a record of its own stands in the way, or the database refuses.
    #[boxed]
    pub async fn load_reference(&self, tenant: &Tenant) -> Result<(), TenantRefusal> {
        let wanting = |mark: &mut TenantMark| mark.reference_wanted = true;
        self.complete_existing(tenant, wanting).await?;
        Ok(())
    }

    /// Gives a tenant the rows of one native module, which it just got: those of every enabling, and
    /// the reference data where it is asked for. Records that are there stay as they are.
    ///
    /// # Errors
    /// As [`Tenants::load_reference`].
    #[boxed]
    pub async fn give_rows(
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
        let turn = self.turn(tenant).await?;
        let outcome = async {
            let entry = store.tenant_entry(tenant).await?;
            let entry = entry.ok_or_else(|| TenantRefusal::Unknown(tenant.id().to_owned()))?;
            let had = &entry.mark.reference;
            let given = rows::give(store, tenant, own(), checksums, wanted, had).await?;
            if !given.is_empty() {
                store.note_reference(tenant, &given, &[]).await?;
            }
            Ok(())
        };
        let outcome = outcome.await;
        turn.end().await;
        outcome
    }

    /// Makes a tenant anew that lost all its modules with all their records: its tables go as they do
    /// when a tenant is purged, and it stays.
    ///
    /// # Errors
    /// When there is no such tenant, or the database refuses.
    #[boxed]
    pub async fn clear(&self, tenant: &Tenant) -> Result<(), TenantRefusal> {
        let store = &self.store;
        let turn = self.turn(tenant).await?;
        let remade = async {
            store.clear_tenant(turn.hold(), tenant).await?;
            let entry = store.tenant_entry(tenant).await?;
            let entry = entry.ok_or_else(|| TenantRefusal::Unknown(tenant.id().to_owned()))?;
            let nothing = NewTenant::default();
            let mark = Some(&entry.mark);
            let completing = self.complete(tenant, &nothing, mark);
            Box::pin(completing).await?;
            Ok(())
        };
        let remade = remade.await;
        turn.end().await;
        self.permissions.forget_tenant().await;
        self.forget(tenant);
        self.barrier.settle().await;
        remade
    }

    /// Forgets that a tenant was given a module's rows: they were removed with all others of its tables.
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
        let turn = self.turn(tenant).await?;
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
        turn.end().await;
        completed
    }

    /// Loads the sample data into a tenant; gives how many records of each table.
    ///
    /// # Errors
    /// When there is none in this process, or it clashes with records that are there.
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

    /// All tenants, by id.
    #[boxed]
    pub async fn list(&self) -> Result<Vec<TenantDescriptor>, TenantRefusal> {
        let entries = self.store.tenant_entries().await?;
        let described = entries.into_iter().map(|entry| self.descriptor(entry));
        Ok(described.collect())
    }

    /// A tenant.
    ///
    /// # Errors
    /// When there is none of this id, or the database does not answer.
    #[boxed]
    pub async fn describe(&self, id: &str) -> Result<TenantDescriptor, TenantRefusal> {
        let unknown = || TenantRefusal::Unknown(id.chars().take(64).collect());
        let tenant = Tenant::new(id).map_err(|_| unknown())?;
        let entry = self.store.tenant_entry(&tenant).await?;
        let entry = entry.ok_or_else(unknown)?;
        Ok(self.descriptor(entry))
    }

    /// Changes what people see of a tenant.
    ///
    /// # Errors
    /// When there is none of this id, or the database does not answer.
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

    /// Removes a tenant with all its records; its requests are answered as those of no tenant from
    /// then on, on every process. Those under way find their tables no more and end.
    ///
    /// # Errors
    /// When there is none of this id, or the database refuses: then it is as it was.
    #[boxed]
    pub async fn purge(&self, id: &str) -> Result<Purged, TenantRefusal> {
        let unknown = || TenantRefusal::Unknown(id.chars().take(64).collect());
        let tenant = Tenant::new(id).map_err(|_| unknown())?;
        let store = &self.store;
        let turn = self.turn(&tenant).await?;
        let purged = store.purge_tenant(turn.hold(), &tenant).await;
        turn.end().await;
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
