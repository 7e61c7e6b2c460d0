//! The statements of this area.

pub mod authorities;
pub mod browse;
mod condition;
pub mod config;
pub mod facets;
pub mod fill;
pub mod jobs;
pub mod search;
pub mod suggest;

use octavo_records::plan::{Plan, Sql};
use octavo_records::{Store, StoreError, Tenant};

use octavo_postgres::Row;

/// A tenant's records and search tables.
#[derive(Debug, Clone, Copy)]
pub struct SearchTables<'a> {
    /// The record store.
    pub store: &'a Store,
    pub tenant: &'a Tenant,
}

impl SearchTables<'_> {
    fn schema(&self) -> &str {
        self.tenant.schema()
    }

    /// A query on the records of instances.
    fn plan(&self, cql: &str) -> Result<Plan, StoreError> {
        let instances = self
            .store
            .catalog
            .get("instance")
            .ok_or_else(|| StoreError::fault("the inventory declares no instances"))?;
        self.store.plan(self.tenant, instances, Some(cql))
    }

    /// Runs a statement unprepared, planned with its values: the best plan depends on them.
    async fn rows(&self, sql: &Sql) -> Result<Vec<Row>, StoreError> {
        Ok(self
            .store
            .database
            .query_fresh(&sql.text, &sql.typed())
            .await?)
    }
}
