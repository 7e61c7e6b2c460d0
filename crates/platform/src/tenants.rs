//! The tenants of this installation: which there are, and how one is made or brought up to date.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

use octavo_records::{Provisioned, Store, StoreError, Tenant};

use crate::module::Module;

/// The tenants that exist, kept in memory.
#[derive(Debug, Default)]
pub struct Tenants {
    known: RwLock<Arc<HashSet<String>>>,
}

impl Tenants {
    /// Whether a tenant is known without asking the database.
    #[must_use]
    pub fn known(&self, id: &str) -> bool {
        self.known
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(id)
    }

    /// Whether a tenant exists; one that another process made is noticed here.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn exists(&self, store: &Store, tenant: &Tenant) -> Result<bool, StoreError> {
        if self.known(tenant.id()) {
            return Ok(true);
        }
        self.load(store).await?;
        Ok(self.known(tenant.id()))
    }

    /// The ids of all tenants, read from the database; the indexes that were applied to those not
    /// known before are planned with from now on.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn load(&self, store: &Store) -> Result<Vec<String>, StoreError> {
        let ids = store.tenant_ids().await?;
        for id in ids.iter().filter(|id| !self.known(id)) {
            if let Ok(tenant) = Tenant::new(id) {
                store.refresh_indexes(&tenant).await?;
            }
        }
        *self.known.write().unwrap_or_else(PoisonError::into_inner) =
            Arc::new(ids.iter().cloned().collect());
        Ok(ids)
    }

    /// Makes a tenant, or completes one: tables, reference data, and the indexes of tables made
    /// here; those of others are left to [`Store::build_indexes`]. Safe to repeat, and to run
    /// from two processes at once.
    ///
    /// # Errors
    /// When the database refuses a step, or reference data does not fit its collection.
    pub async fn provision(
        &self,
        store: &Store,
        modules: &[Module],
        tenant: &Tenant,
        name: &str,
    ) -> Result<Provisioned, StoreError> {
        let steps: Vec<(&str, &str)> = modules
            .iter()
            .flat_map(|module| module.migrations.iter().copied())
            .collect();
        let outcome = store.provision(tenant, &steps).await?;
        if !outcome.applied.is_empty() {
            for data in modules.iter().flat_map(|module| &module.reference) {
                let collection = store.catalog.get(data.table).ok_or_else(|| {
                    StoreError::Database(format!("reference data for unknown table {}", data.table))
                })?;
                let records = data
                    .records(collection)
                    .map_err(|error| StoreError::Database(error.to_string()))?;
                store.seed(tenant, collection, records).await?;
            }
        }
        store.enlist(tenant, name).await?;
        self.load(store).await?;
        Ok(outcome)
    }
}
