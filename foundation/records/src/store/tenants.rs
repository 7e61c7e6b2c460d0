//! The shared list of tenants: the state of each, the lock for working on one, and its deletion.
//! `provision` handles the tenant's own schema.

use std::collections::HashMap;
use std::time::Duration;

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_postgres::{Connection, DatabaseError, Row, cancel_builds, quote_identifier};
use serde_json::Value;
use uuid::Uuid;

use super::Store;
use super::provision::SHARED_SCHEMA;
use crate::error::StoreError;
use crate::tenant::Tenant;

/// The channel of notifications that a tenant was created or deleted; the payload is its id.
pub const TENANT_CHANNEL: &str = "octavo_tenant";

/// Columns added to the list later: the state that is needed before a tenant can be served.
pub(super) const SHARED_LIVES: &str = "
ALTER TABLE octavo.tenant
  -- Another one each time that a tenant of this id is made.
  ADD COLUMN incarnation uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The fingerprint of what the tenant was last brought up to date with.
  ADD COLUMN prepared text,
  -- Whether its indexes are all made.
  ADD COLUMN indexed boolean NOT NULL DEFAULT false,
  ADD COLUMN reference_wanted boolean NOT NULL DEFAULT true,
  -- The checksums of the reference data that it was given, by table.
  ADD COLUMN reference jsonb NOT NULL DEFAULT '{}';
CREATE FUNCTION octavo.tell_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('octavo_tenant', OLD.id); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('octavo_tenant', NEW.id); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_tenant AFTER INSERT OR DELETE OR UPDATE OF id, incarnation
  ON octavo.tenant FOR EACH ROW EXECUTE FUNCTION octavo.tell_of_tenant();";

/// The prefix of purged tenants' schemas until they are dropped.
const PURGED_PREFIX: &str = "octavo_purged_";
/// How often dropping a schema is tried while its tables are in use.
const DROP_ATTEMPTS_MAX: u32 = 3;
/// The lock time-out of one try.
const DROP_WAIT: &str = "2s";
/// Waiting for a tenant means polling without a connection: a statement that waits in the database
/// holds a snapshot, which an index build would wait for.
const POLL_EVERY: Duration = Duration::from_millis(100);

/// A tenant's row in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantEntry {
    pub id: String,
    pub name: String,
    pub description: Option<String>,
    pub created_at: Timestamp,
    pub mark: TenantMark,
}

/// How far a tenant's upgrade is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantMark {
    /// A new one each time that a tenant with this id is created.
    pub incarnation: Uuid,
    /// The fingerprint of the release that last upgraded it.
    pub prepared: Option<String>,
    /// Whether all its indexes are built.
    pub indexed: bool,
    /// Whether it is to have the areas' reference data.
    pub reference_wanted: bool,
    /// The checksums of the reference data that was loaded, by table.
    pub reference: HashMap<String, String>,
}

/// The values that are written when a tenant is created or upgraded.
#[derive(Debug, Clone, Copy)]
pub struct TenantState<'a> {
    /// Its name; ignored if the list has one.
    pub name: &'a str,
    /// Its description; ignored likewise.
    pub description: Option<&'a str>,
    /// The fingerprint of this release.
    pub prepared: &'a str,
    /// Whether indexes remain to be built.
    pub lacks_indexes: bool,
    /// Whether it is to have the areas' reference data.
    pub reference_wanted: bool,
    /// The checksums of the loaded reference data, by table.
    pub reference: &'a HashMap<String, String>,
}

/// The result of a purge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purged {
    /// The number of tables.
    pub tables: i64,
    /// Bytes on disk, indexes included.
    pub bytes: i64,
    /// Whether the tables are dropped; otherwise they are still being read, and are dropped later.
    pub dropped: bool,
}

/// The advisory lock to create, change or delete one tenant, held by one process at a time. It is
/// released with the process, however that ends.
#[derive(Debug)]
pub struct TenantHold {
    connection: Connection,
    key: String,
}

impl TenantHold {
    /// Releases the lock at once; a drop does so soon.
    #[boxed]
    pub async fn release(self) {
        let sql = "SELECT pg_advisory_unlock(hashtextextended($1, 0))";
        if let Err(error) = self.connection.query(sql, &[&self.key]).await {
            tracing::debug!(%error, "the lock on a tenant is released with its connection");
        }
    }
}

const ENTRY: &str =
    "id, name, description, (extract(epoch FROM created_at) * 1000)::bigint AS created_ms";
const MARK: &str = "incarnation, prepared, indexed, reference_wanted, reference";

fn mark(row: &Row) -> Result<TenantMark, DatabaseError> {
    let reference: Value = row.try_get("reference")?;
    let reference = reference.as_object().into_iter().flatten();
    Ok(TenantMark {
        incarnation: row.try_get("incarnation")?,
        prepared: row.try_get("prepared")?,
        indexed: row.try_get("indexed")?,
        reference_wanted: row.try_get("reference_wanted")?,
        reference: reference
            .filter_map(|(table, sum)| Some((table.clone(), sum.as_str()?.to_owned())))
            .collect(),
    })
}

impl Store {
    /// The ids of all tenants, in order.
    #[boxed]
    pub async fn tenant_ids(&self) -> Result<Vec<String>, StoreError> {
        let sql = format!("SELECT id FROM {SHARED_SCHEMA}.tenant ORDER BY id");
        let rows = self.database.query(&sql, &[]).await?;
        Ok(rows.iter().map(|row| row.get("id")).collect())
    }

    /// All tenants, in order of their ids.
    #[boxed]
    pub async fn tenant_entries(&self) -> Result<Vec<TenantEntry>, StoreError> {
        let sql = format!(
            "SELECT {ENTRY}, {MARK} \
             FROM {SHARED_SCHEMA}.tenant ORDER BY id"
        );
        let rows = self.database.query(&sql, &[]).await?;
        let entries: Result<_, DatabaseError> = rows.iter().map(entry).collect();
        Ok(entries?)
    }

    #[boxed]
    pub async fn tenant_entry(&self, tenant: &Tenant) -> Result<Option<TenantEntry>, StoreError> {
        let sql = format!(
            "SELECT {ENTRY}, {MARK} \
             FROM {SHARED_SCHEMA}.tenant WHERE id = $1"
        );
        let row = self.database.query_opt(&sql, &[&tenant.id()]).await?;
        Ok(row.as_ref().map(entry).transpose()?)
    }

    /// Changes name and description of a tenant; false when there is none.
    #[boxed]
    pub async fn describe_tenant(
        &self,
        tenant: &Tenant,
        name: &str,
        description: Option<&str>,
    ) -> Result<bool, StoreError> {
        let sql =
            format!("UPDATE {SHARED_SCHEMA}.tenant SET name = $2, description = $3 WHERE id = $1");
        let changed = self
            .database
            .execute(&sql, &[&tenant.id(), &name, &description])
            .await?;
        Ok(changed > 0)
    }

    /// Inserts a tenant into the list, or updates its state.
    #[boxed]
    pub async fn save_tenant(
        &self,
        tenant: &Tenant,
        with: TenantState<'_>,
    ) -> Result<(), StoreError> {
        // An index that an operator applied meanwhile is not built yet.
        let unbuilt = unbuilt(tenant);
        let sql = format!(
            "INSERT INTO {SHARED_SCHEMA}.tenant AS one \
               (id, name, description, prepared, indexed, reference_wanted, reference) \
             VALUES ($1, $2, $3, $4, NOT ($5::boolean OR {unbuilt}), $6, $7) \
             ON CONFLICT (id) DO UPDATE SET prepared = excluded.prepared, \
               indexed = excluded.indexed, reference_wanted = excluded.reference_wanted, \
               reference = excluded.reference"
        );
        let reference = serde_json::to_value(with.reference)?;
        self.database
            .execute(
                &sql,
                &[
                    &tenant.id(),
                    &with.name,
                    &with.description,
                    &with.prepared,
                    &with.lacks_indexes,
                    &with.reference_wanted,
                    &reference,
                ],
            )
            .await?;
        Ok(())
    }

    /// Records the reference data that was loaded into a tenant, and removes tables that have none
    /// any more.
    #[boxed]
    pub async fn note_reference(
        &self,
        tenant: &Tenant,
        given: &HashMap<String, String>,
        gone: &[String],
    ) -> Result<(), StoreError> {
        let sql = format!(
            "UPDATE {SHARED_SCHEMA}.tenant SET reference = (reference - $2::text[]) || $3::jsonb \
             WHERE id = $1"
        );
        let given = serde_json::to_value(given)?;
        let gone: Vec<&str> = gone.iter().map(String::as_str).collect();
        self.database
            .execute(&sql, &[&tenant.id(), &gone, &given])
            .await?;
        Ok(())
    }

    /// Records that all indexes of a tenant are built, unless one is wanted that is not.
    pub(in crate::store) async fn note_indexed(&self, tenant: &Tenant) -> Result<(), StoreError> {
        let transaction = self.database.transaction().await?;
        // The row is locked first: applying an index changes it too, so one that came before is
        // seen.
        let sql = format!("SELECT indexed FROM {SHARED_SCHEMA}.tenant WHERE id = $1 FOR UPDATE");
        let rows = transaction.query(&sql, &[&tenant.id()]).await?;
        if rows
            .first()
            .is_some_and(|row| !row.get::<_, bool>("indexed"))
        {
            let sql = format!(
                "UPDATE {SHARED_SCHEMA}.tenant SET indexed = true WHERE id = $1 \
                 AND NOT ({})",
                unbuilt(tenant)
            );
            transaction.execute(&sql, &[&tenant.id()]).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Tries to lock this tenant for changes; `None` while another process has the lock.
    #[boxed]
    pub async fn try_hold_tenant(&self, tenant: &Tenant) -> Result<Option<TenantHold>, StoreError> {
        let key = format!("octavo tenant {}", tenant.id());
        let connection = self.database.connection().await?;
        let rows = connection
            .query(
                "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held",
                &[&key],
            )
            .await?;
        let held = rows.first().is_some_and(|row| row.get("held"));
        Ok(held.then_some(TenantHold { connection, key }))
    }

    /// Waits for the lock on this tenant.
    #[boxed]
    pub async fn hold_tenant(&self, tenant: &Tenant) -> Result<TenantHold, StoreError> {
        loop {
            if let Some(hold) = self.try_hold_tenant(tenant).await? {
                return Ok(hold);
            }
            tokio::time::sleep(POLL_EVERY).await;
        }
    }

    /// Deletes a tenant whose lock is held: from the list and under its name at once, then from
    /// disk. Requests in flight fail because their tables are gone; nobody waits for them. `None`
    /// when there is neither a tenant nor the remains of an aborted creation.
    ///
    /// # Errors
    /// When the database does not allow it; then the tenant is unchanged.
    #[boxed]
    pub async fn purge_tenant(
        &self,
        _held: &TenantHold,
        tenant: &Tenant,
    ) -> Result<Option<Purged>, StoreError> {
        let schema = tenant.schema();
        let size = self.schema_size(schema).await?;
        let transaction = self.database.transaction().await?;
        let sql = format!("DELETE FROM {SHARED_SCHEMA}.tenant WHERE id = $1");
        let listed = transaction.execute(&sql, &[&tenant.id()]).await? > 0;
        let renamed = format!("{PURGED_PREFIX}{}", Uuid::new_v4().simple());
        if size.is_some() {
            // Renaming the schema needs no lock on its tables, and nobody finds it any more.
            let rename = format!("ALTER SCHEMA {schema} RENAME TO {renamed}");
            transaction.batch_execute(&rename).await?;
        }
        transaction.commit().await?;
        self.forget_tenant(tenant);
        let Some((tables, bytes)) = size else {
            return Ok(listed.then_some(Purged {
                tables: 0,
                bytes: 0,
                dropped: true,
            }));
        };
        // A build holds a lock on its table, for which the drop would have to wait.
        cancel_builds(&self.database, schema).await?;
        let dropped = match self.drop_schema(&renamed).await {
            Ok(dropped) => dropped,
            Err(error) => {
                tracing::warn!(%error, schema = renamed, "a purged tenant's tables could not be dropped yet");
                false
            }
        };
        Ok(Some(Purged {
            tables,
            bytes,
            dropped,
        }))
    }

    /// Drops what purges left because it was still being read, or because they were aborted.
    /// Returns the number of schemas dropped.
    #[boxed]
    pub async fn drop_purged(&self) -> Result<usize, StoreError> {
        let rows = self
            .database
            .query(
                "SELECT nspname::text FROM pg_namespace WHERE starts_with(nspname, $1) ORDER BY 1",
                &[&PURGED_PREFIX],
            )
            .await?;
        let mut dropped = 0;
        for row in rows {
            dropped += usize::from(self.drop_schema(row.get("nspname")).await?);
        }
        Ok(dropped)
    }

    /// Deletes all tables of a tenant whose lock is held and that stays on the list: it has to be
    /// upgraded before it is served again.
    ///
    /// # Errors
    /// When the database does not allow it; then the tenant is unchanged.
    #[boxed]
    pub async fn clear_tenant(
        &self,
        _held: &TenantHold,
        tenant: &Tenant,
    ) -> Result<(), StoreError> {
        let schema = tenant.schema();
        let renamed = format!("{PURGED_PREFIX}{}", Uuid::new_v4().simple());
        let transaction = self.database.transaction().await?;
        let sql = format!(
            "UPDATE {SHARED_SCHEMA}.tenant SET prepared = NULL, indexed = false, reference = '{{}}' \
             WHERE id = $1"
        );
        transaction.execute(&sql, &[&tenant.id()]).await?;
        let rename = format!("ALTER SCHEMA {schema} RENAME TO {renamed}");
        transaction.batch_execute(&rename).await?;
        transaction.commit().await?;
        self.forget_tenant(tenant);
        cancel_builds(&self.database, schema).await?;
        if let Err(error) = self.drop_schema(&renamed).await {
            tracing::warn!(%error, schema = renamed, "a tenant's former tables could not be dropped yet");
        }
        Ok(())
    }

    /// Drops a schema; false when its tables are in use beyond the time-out.
    async fn drop_schema(&self, schema: &str) -> Result<bool, StoreError> {
        for _ in 0..DROP_ATTEMPTS_MAX {
            let transaction = self.database.transaction().await?;
            let sql = format!(
                "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '{DROP_WAIT}'; \
                 DROP SCHEMA IF EXISTS {} CASCADE",
                quote_identifier(schema)
            );
            let dropped = match transaction.batch_execute(&sql).await {
                Ok(()) => transaction.commit().await,
                Err(error) => Err(error),
            };
            match dropped {
                Ok(()) => return Ok(true),
                Err(DatabaseError::Timeout { .. } | DatabaseError::Deadlock) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(false)
    }

    /// The number of tables in a schema and their size in bytes; `None` when there is no schema.
    async fn schema_size(&self, schema: &str) -> Result<Option<(i64, i64)>, StoreError> {
        let row = self
            .database
            .query_opt(
                "SELECT count(c.oid), \
                   coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes \
                 FROM pg_namespace n LEFT JOIN pg_class c \
                   ON c.relnamespace = n.oid AND c.relkind = 'r' \
                 WHERE n.nspname = $1 GROUP BY n.oid",
                &[&schema],
            )
            .await?;
        Ok(row.map(|row| (row.get("count"), row.get("bytes"))))
    }

    /// The size of each tenant's tables in bytes, indexes included, by schema.
    #[boxed]
    pub async fn tenant_sizes(&self) -> Result<HashMap<String, i64>, StoreError> {
        let rows = self
            .database
            .query(
                "SELECT n.nspname::text, sum(pg_total_relation_size(c.oid))::bigint AS bytes \
                 FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid \
                 WHERE starts_with(n.nspname, 'tenant_') AND c.relkind = 'r' GROUP BY 1",
                &[],
            )
            .await?;
        Ok(rows
            .iter()
            .map(|row| (row.get("nspname"), row.get("bytes")))
            .collect())
    }
}

/// SQL: whether an index is wanted that is not built: an operator applied it, or a load has dropped it.
fn unbuilt(tenant: &Tenant) -> String {
    let schema = tenant.schema();
    format!(
        "EXISTS (SELECT FROM {schema}.octavo_index WHERE built_at IS NULL) \
         OR EXISTS (SELECT FROM {schema}.octavo_index_aside)"
    )
}

fn entry(row: &Row) -> Result<TenantEntry, DatabaseError> {
    let created_ms: i64 = row.try_get("created_ms")?;
    Ok(TenantEntry {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        description: row.try_get("description")?,
        created_at: Timestamp::from_millisecond(created_ms).unwrap_or(Timestamp::UNIX_EPOCH),
        mark: mark(row)?,
    })
}
