//! A tenant's tables: made, and brought up to date, by numbered steps that are each run once.

use std::collections::HashSet;

use octavo_postgres::{Migration, MigrationOutcome};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Stamp, Store, insert_if_absent};
use crate::collection::Collection;
use crate::ddl;
use crate::error::StoreError;
use crate::tenant::Tenant;

/// The schema of what tenants share, such as the list of tenants.
pub const SHARED_SCHEMA: &str = "octavo";

const SHARED_TABLES: &str = "
CREATE TABLE octavo.tenant (
  id text PRIMARY KEY,
  name text NOT NULL,
  description text,
  created_at timestamptz NOT NULL DEFAULT now()
);";

impl Store {
    /// Makes what all tenants share, once.
    ///
    /// # Errors
    /// When the database does not answer or does not allow it.
    pub async fn provision_shared(&self) -> Result<(), StoreError> {
        let steps = [
            Migration::new("0001-functions", ddl::SHARED),
            Migration::new("0002-tenants", SHARED_TABLES),
            Migration::new("0003-numbers-and-isbns", ddl::SHARED_NUMBERS_AND_ISBNS),
        ];
        self.database.migrate(SHARED_SCHEMA, &steps).await?;
        Ok(())
    }

    /// Makes or completes a tenant's tables and indexes, then runs the areas' own steps.
    ///
    /// # Errors
    /// When the database does not answer or a step fails; then nothing of it is kept.
    pub async fn provision(
        &self,
        tenant: &Tenant,
        own_steps: &[(&str, &str)],
    ) -> Result<MigrationOutcome, StoreError> {
        let schema = tenant.schema();
        let mut steps = vec![
            Migration::new("outbox", ddl::outbox(schema)),
            Migration::new("outbox events", ddl::outbox_events(schema, tenant.id())),
        ];
        for collection in self.catalog.iter() {
            let id = format!("table {}", collection.table);
            steps.push(Migration::new(id, ddl::table(schema, collection)));
            if let (Some(audit), Some(sql)) = (&collection.audit, ddl::audit(schema, collection)) {
                steps.push(Migration::new(format!("audit {}", audit.table), sql));
            }
            for sql in ddl::indexes(schema, collection) {
                let id = sql
                    .split(" ON ")
                    .next()
                    .unwrap_or(&sql)
                    .replace("CREATE ", "");
                steps.push(Migration::new(id, sql));
            }
        }
        for (id, sql) in own_steps {
            steps.push(Migration::new(*id, sql.replace("{schema}", schema)));
        }
        Ok(self.database.migrate(schema, &steps).await?)
    }

    /// The ids of the tenants in the shared list, in order.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn tenant_ids(&self) -> Result<Vec<String>, StoreError> {
        let sql = format!("SELECT id FROM {SHARED_SCHEMA}.tenant ORDER BY id");
        let rows = self.database.query(&sql, &[]).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Puts a tenant on the shared list, unless it is there.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn enlist(&self, tenant: &Tenant, name: &str) -> Result<(), StoreError> {
        let sql = format!(
            "INSERT INTO {SHARED_SCHEMA}.tenant (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        );
        self.database.execute(&sql, &[&tenant.id(), &name]).await?;
        Ok(())
    }

    /// Asks the database for nothing, to see whether it answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.database.query("SELECT 1", &[]).await?;
        Ok(())
    }

    /// Adds records that are not there yet; gives how many were added.
    ///
    /// # Errors
    /// When one of them breaks a key or a reference.
    pub async fn seed(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        records: Vec<Value>,
    ) -> Result<usize, StoreError> {
        let transaction = self.database.transaction().await?;
        let stamp = Stamp::now(None);
        let present = self
            .present(&transaction, tenant, collection, &records)
            .await?;
        let mut added = 0;
        for record in records {
            let Value::Object(record) = record else {
                continue;
            };
            if id_of(&record).is_some_and(|id| present.contains(&id)) {
                continue;
            }
            added += usize::from(
                insert_if_absent(&transaction, tenant, collection, record, &stamp).await?,
            );
        }
        transaction.commit().await?;
        Ok(added)
    }

    async fn present(
        &self,
        transaction: &octavo_postgres::Transaction,
        tenant: &Tenant,
        collection: &Collection,
        records: &[Value],
    ) -> Result<HashSet<Uuid>, StoreError> {
        let ids: Vec<Uuid> = records
            .iter()
            .filter_map(|one| one.as_object().and_then(id_of))
            .collect();
        let sql = format!(
            "SELECT id FROM {}.{} WHERE id = ANY($1)",
            tenant.schema(),
            collection.table
        );
        let rows = transaction.query(&sql, &[&ids]).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }
}

fn id_of(record: &Map<String, Value>) -> Option<Uuid> {
    Uuid::try_parse(record.get("id")?.as_str()?).ok()
}
