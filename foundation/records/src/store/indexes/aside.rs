//! Indexes that a large load drops before and builds after it. What is dropped is stored in the tenant's
//! schema first, and counts as missing from then on: whoever builds missing indexes builds them, too,
//! when the load is killed.

use octavo_boxed::boxed;
use octavo_postgres::{DatabaseError, IndexBuilder};

use super::builds::{BuildReport, IndexBuilds};
use crate::error::StoreError;
use crate::executor::Executor;
use crate::store::Store;
use crate::store::provision::SHARED_SCHEMA;
use crate::tenant::Tenant;
use crate::upgrade::DeclaredIndex;

/// The table of dropped indexes.
pub(in crate::store) const ASIDE: &str = "octavo_index_aside";
/// How many builds run at the same time after a load: on two cores a third gains nothing, and each
/// needs memory.
const BUILDS_AT_ONCE: usize = 2;

/// Indexes that are dropped as long as a load lasts. Nobody else builds indexes of the tenant meanwhile.
#[derive(Debug)]
pub struct IndexesAside {
    store: Store,
    tenant: Tenant,
    builder: IndexBuilder,
    count: usize,
}

impl IndexesAside {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Builds them while the tenant is used, two at a time. As with [`Store::build_indexes`], a failed
    /// build is not an error.
    #[boxed]
    pub async fn build(self, report: BuildReport<'_>) -> Result<IndexBuilds, StoreError> {
        let mut builders = Vec::with_capacity(BUILDS_AT_ONCE);
        builders.push(self.builder);
        while builders.len() < BUILDS_AT_ONCE {
            let more = builders[0].beside().await?;
            builders.push(more);
        }
        self.store.build_with(&builders, &self.tenant, report).await
    }
}

impl Store {
    /// Whether a load that did not end has left indexes dropped.
    #[boxed]
    pub async fn has_indexes_aside(&self, tenant: &Tenant) -> Result<bool, StoreError> {
        Ok(!self.aside(tenant).await?.is_empty())
    }

    /// Drops the indexes of these tables for a load, but for those that hold a constraint, and for
    /// `kept`, which the load's own statements need. Reads and writes of the tables go on; searches
    /// that used the indexes read all records. `None` while another process builds indexes of this
    /// tenant, or loads.
    #[boxed]
    pub async fn set_indexes_aside(
        &self,
        tenant: &Tenant,
        tables: &[&str],
        kept: &[&str],
    ) -> Result<Option<IndexesAside>, StoreError> {
        let schema = tenant.schema();
        let Some(builder) = IndexBuilder::try_begin(&self.database, schema).await? else {
            return Ok(None);
        };
        // Stored and committed before anything is dropped. The tenant is marked as lacking indexes, so
        // that the next start looks for them.
        let sql = format!(
            "WITH noted AS (UPDATE {SHARED_SCHEMA}.tenant SET indexed = false WHERE id = $4) \
             INSERT INTO {schema}.{ASIDE} (name, collection, definition) \
             SELECT i.relname, t.relname, pg_get_indexdef(x.indexrelid) \
             FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid \
               JOIN pg_class t ON t.oid = x.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace \
             WHERE n.nspname = $1 AND t.relname = ANY($2) AND i.relname <> ALL($3) \
               AND x.indisvalid AND NOT x.indisunique \
               AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = x.indexrelid) \
             ON CONFLICT (name) DO NOTHING"
        );
        self.database
            .execute(&sql, &[&schema, &tables, &kept, &tenant.id()])
            .await?;
        let aside = self.aside(tenant).await?;
        for index in &aside {
            builder.drop_index(&index.name).await?;
        }
        Ok(Some(IndexesAside {
            store: self.clone(),
            tenant: tenant.clone(),
            builder,
            count: aside.len(),
        }))
    }

    /// The indexes that loads have dropped, but for those of tables that are gone; none for a tenant
    /// that is not upgraded yet.
    pub(in crate::store) async fn aside(
        &self,
        tenant: &Tenant,
    ) -> Result<Vec<DeclaredIndex>, StoreError> {
        match aside_of(&self.database, tenant.schema()).await {
            Err(error) if error.is_undefined_table() => Ok(Vec::new()),
            read => Ok(read?),
        }
    }

    /// Forgets that indexes were dropped, but for those whose build failed.
    pub(in crate::store) async fn forget_aside(
        &self,
        tenant: &Tenant,
        built: &[String],
    ) -> Result<(), StoreError> {
        if built.is_empty() {
            return Ok(());
        }
        let sql = format!(
            "DELETE FROM {}.{ASIDE} WHERE name = ANY($1)",
            tenant.schema()
        );
        self.database.execute(&sql, &[&built]).await?;
        Ok(())
    }
}

/// The indexes that loads have dropped, of a schema with the table of them.
pub(in crate::store) async fn aside_of(
    executor: &dyn Executor,
    schema: &str,
) -> Result<Vec<DeclaredIndex>, DatabaseError> {
    let sql = format!(
        "SELECT collection, definition FROM {schema}.{ASIDE} \
         WHERE to_regclass(quote_ident($1) || '.' || quote_ident(collection)) IS NOT NULL \
         ORDER BY collection, name"
    );
    let rows = executor.rows(&sql, &[&schema]).await?;
    Ok(rows
        .iter()
        .map(|row| DeclaredIndex::of(&row.get::<_, String>("collection"), row.get("definition")))
        .collect())
}
