//! A tenant's tables: made, and brought up to date. Everything here happens in one transaction
//! under a lock; indexes on tables that exist are `index_builds`' business, which holds up nobody.

use std::collections::HashSet;

use octavo_boxed::boxed;
use octavo_postgres::{DatabaseError, Migration, Migrator, Transaction};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Stamp, Store, insert_if_absent};
use crate::collection::Collection;
use crate::ddl;
use crate::error::StoreError;
use crate::tenant::Tenant;
use crate::upgrade::{DeclaredIndex, Lack, Tables};

/// The schema of what tenants share, such as the list of tenants.
pub const SHARED_SCHEMA: &str = "octavo";

const SHARED_TABLES: &str = "
CREATE TABLE octavo.tenant (
  id text PRIMARY KEY,
  name text NOT NULL,
  description text,
  created_at timestamptz NOT NULL DEFAULT now()
);";

/// What bringing a tenant up to date did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provisioned {
    /// Ids of steps applied now, tables and columns among them.
    pub applied: Vec<String>,
    /// Ids of steps applied earlier whose text has changed since. Their new text was not run.
    pub changed: Vec<String>,
    /// Indexes on tables that existed before, still to be made by [`Store::build_indexes`].
    pub pending_indexes: Vec<String>,
    /// Indexes that an earlier release declared and this one does not. They are left as they are.
    pub undeclared_indexes: Vec<String>,
}

impl Store {
    /// Makes what all tenants share, once.
    ///
    /// # Errors
    /// When the database does not answer or does not allow it.
    #[boxed]
    pub async fn provision_shared(&self) -> Result<(), StoreError> {
        let steps = [
            Migration::new("0001-functions", ddl::SHARED),
            Migration::new("0002-tenants", SHARED_TABLES),
            Migration::new("0003-texts-and-numbers", ddl::SHARED_TEXTS_AND_NUMBERS),
            Migration::new("0004-lives-of-tenants", super::tenants::SHARED_LIVES),
            Migration::new("0005-concat", ddl::SHARED_CONCAT),
            Migration::new("0006-unaccent", ddl::SHARED_UNACCENT),
            Migration::new("0007-join", ddl::SHARED_JOIN),
        ];
        self.database.migrate(SHARED_SCHEMA, &steps).await?;
        Ok(())
    }

    /// Makes or completes a tenant's tables, then runs the areas' own steps. Tables made here get
    /// their indexes here; those that existed keep the indexes they have until
    /// [`Store::build_indexes`].
    ///
    /// # Errors
    /// When the database does not answer or a step fails; then nothing of it is kept.
    #[boxed]
    pub async fn provision(
        &self,
        tenant: &Tenant,
        own_steps: &[(&str, &str)],
    ) -> Result<Provisioned, StoreError> {
        let schema = tenant.schema();
        let transaction = self.database.transaction().await?;
        let mut migrator = Migrator::begin(&transaction, schema).await?;
        let tables = tables(&transaction, schema).await?;
        let lacks: Vec<_> = self
            .catalog
            .iter()
            .map(|collection| (collection, tables.lacking(schema, collection)))
            .filter(|(_, lacks)| !lacks.is_empty())
            .collect();
        let steps = self.steps(tenant);
        let own: Vec<Migration> = own_steps
            .iter()
            .map(|(id, sql)| Migration::new(*id, sql.replace("{schema}", schema)))
            .collect();
        let anything = !lacks.is_empty()
            || steps
                .iter()
                .chain(&own)
                .any(|step| !migrator.knows(&step.id));
        if anything && !tables.is_empty() {
            migrator.hold_off_builds().await?;
        }
        for step in &steps {
            migrator.step(step).await?;
        }
        for (collection, lacks) in lacks {
            for lack in lacks {
                complete(&mut migrator, &transaction, schema, collection, lack).await?;
            }
        }
        for collection in self.catalog.iter() {
            let (id, sql) = table_step(schema, collection);
            if !migrator.is_current(&id, &sql) {
                migrator.record(&id, &sql).await?;
            }
        }
        for step in &own {
            migrator.step(step).await?;
        }
        let outcome = migrator.finish();
        transaction.commit().await?;
        let indexes = self.index_facts(tenant).await?;
        Ok(Provisioned {
            applied: outcome.applied,
            changed: outcome.changed,
            pending_indexes: indexes.pending(),
            undeclared_indexes: indexes.undeclared(),
        })
    }

    /// The steps that every tenant has besides its collections' tables.
    fn steps(&self, tenant: &Tenant) -> Vec<Migration> {
        let schema = tenant.schema();
        let mut steps = vec![
            Migration::new("outbox", ddl::outbox(schema)),
            Migration::new("outbox events", ddl::outbox_events(schema, tenant.id())),
            Migration::new("index-keeping", ddl::index_keeping(schema)),
            Migration::new(
                "outbox differences",
                ddl::outbox_differences(schema, tenant.id()),
            ),
        ];
        for collection in self.catalog.iter() {
            if let (Some(audit), Some(sql)) = (&collection.audit, ddl::audit(schema, collection)) {
                steps.push(Migration::new(format!("audit {}", audit.table), sql));
            }
        }
        steps
    }

    /// Everything that [`Store::provision`] would do for a tenant without anything, as text. Two
    /// releases with the same text leave the same tables, steps and indexes.
    #[must_use]
    pub fn outline(&self, tenant: &Tenant, own_steps: &[(&str, &str)]) -> String {
        let schema = tenant.schema();
        let mut text = String::new();
        let mut add = |id: &str, sql: &str| {
            text.push_str(id);
            text.push('\n');
            text.push_str(sql);
            text.push('\n');
        };
        for step in self.steps(tenant) {
            add(&step.id, &step.sql);
        }
        for collection in self.catalog.iter() {
            let (id, sql) = table_step(schema, collection);
            add(&id, &sql);
            for sql in ddl::indexes(schema, collection) {
                add("index", &sql);
            }
        }
        for (id, sql) in own_steps {
            add(id, sql);
        }
        text
    }

    /// Asks the database for nothing, to see whether it answers.
    ///
    /// # Errors
    /// When it does not.
    #[boxed]
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.database.query("SELECT 1", &[]).await?;
        Ok(())
    }

    /// Adds records that are not there yet; gives how many were added.
    ///
    /// # Errors
    /// When one of them breaks a key or a reference.
    #[boxed]
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
        Ok(rows.iter().map(|row| row.get("id")).collect())
    }
}

fn id_of(record: &Map<String, Value>) -> Option<Uuid> {
    Uuid::try_parse(record.get("id")?.as_str()?).ok()
}

fn table_step(schema: &str, collection: &Collection) -> (String, String) {
    let id = format!("table {}", collection.table);
    (id, ddl::table(schema, collection))
}

/// The tables, columns and sequences of a schema.
async fn tables(transaction: &Transaction, schema: &str) -> Result<Tables, DatabaseError> {
    let rows = transaction
        .query(
            "SELECT c.relkind = 'S' AS sequence, c.relname::text, \
             coalesce(array_agg(a.attname::text) \
               FILTER (WHERE a.attnum > 0 AND NOT a.attisdropped), '{}') AS columns \
             FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
               LEFT JOIN pg_attribute a ON a.attrelid = c.oid \
             WHERE n.nspname = $1 AND c.relkind IN ('r', 'S') AND c.relname <> 'octavo_migrations' \
             GROUP BY c.oid",
            &[&schema],
        )
        .await?;
    let mut tables = Tables::default();
    for row in rows {
        let (sequence, name, columns): (bool, String, Vec<String>) = (
            row.try_get("sequence")?,
            row.try_get("relname")?,
            row.try_get("columns")?,
        );
        if sequence {
            tables.sequences.insert(name);
        } else {
            tables.columns.insert(name, columns.into_iter().collect());
        }
    }
    Ok(tables)
}

/// Adds what a collection lacks.
async fn complete(
    migrator: &mut Migrator<'_>,
    transaction: &Transaction,
    schema: &str,
    collection: &Collection,
    lack: Lack,
) -> Result<(), DatabaseError> {
    let table = &collection.table;
    match lack {
        Lack::Table => {
            let (id, sql) = table_step(schema, collection);
            migrator.run(&sql).await?;
            migrator.record(&id, &sql).await?;
            migrator.applied(id);
            for sql in ddl::indexes(schema, collection) {
                let wanted = DeclaredIndex::of(table, sql);
                migrator.run(&wanted.sql).await?;
                migrator.record(&wanted.step(), &wanted.sql).await?;
                migrator.applied(wanted.step());
            }
        }
        Lack::Column { column, sql } => {
            log_table_rewrite(transaction, schema, table, &column).await?;
            migrator.run(&sql).await?;
            migrator.applied(format!("column {table}.{column}"));
        }
        Lack::Layout { columns, sql } => {
            log_table_rewrite(transaction, schema, table, &columns.join(", ")).await?;
            migrator.run(&sql).await?;
            for column in columns {
                migrator.applied(format!("column {table}.{column}"));
            }
        }
        Lack::Sequence { sql } => {
            migrator.run(&sql).await?;
            migrator.applied(format!("sequence {table}_hrid_seq"));
        }
    }
    Ok(())
}

/// A new generated column is computed for every record, which nobody else can use meanwhile.
async fn log_table_rewrite(
    transaction: &Transaction,
    schema: &str,
    table: &str,
    column: &str,
) -> Result<(), DatabaseError> {
    let rows = transaction
        .query(
            "SELECT greatest(c.reltuples, 0)::bigint AS records FROM pg_class c \
             JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE n.nspname = $1 AND c.relname = $2",
            &[&schema, &table],
        )
        .await?;
    let records: i64 = rows.first().map_or(0, |row| row.get("records"));
    tracing::info!(
        schema,
        table,
        column,
        records,
        "new columns rewrite their table; who uses the table waits meanwhile"
    );
    Ok(())
}
