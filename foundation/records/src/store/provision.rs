//! A tenant's tables: created and upgraded. All of it is one transaction under a lock;
//! `index_builds` builds indexes on existing tables, without blocking anybody.

use octavo_boxed::boxed;
use octavo_postgres::{DatabaseError, Migration, Migrator, Transaction};
use serde_json::{Map, Value};

use super::indexes::{DEFERRED, deferred_of};
use super::{Stamp, Store, insert_absent};
use crate::collection::Collection;
use crate::ddl;
use crate::error::StoreError;
use crate::search_rows;
use crate::tenant::Tenant;
use crate::upgrade::{DeclaredIndex, Missing, Tables};

/// The schema of tables that tenants share, such as the list of tenants.
pub const SHARED_SCHEMA: &str = "octavo";

const SHARED_TABLES: &str = "
CREATE TABLE octavo.tenant (
  id text PRIMARY KEY,
  name text NOT NULL,
  description text,
  created_at timestamptz NOT NULL DEFAULT now()
);";

/// The result of an upgrade.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provisioned {
    /// Ids of migrations applied now, tables and columns among them.
    pub applied: Vec<String>,
    /// Ids of migrations applied earlier whose text has changed since. The new text was not run.
    pub changed: Vec<String>,
    /// Indexes on existing tables that [`Store::build_indexes`] still has to build.
    pub pending_indexes: Vec<String>,
    /// Indexes that an earlier release declared and this one does not. They are left as they are.
    pub undeclared_indexes: Vec<String>,
}

impl Store {
    /// Creates what all tenants share, once.
    ///
    /// # Errors
    /// When the database does not allow it.
    #[boxed]
    pub async fn provision_shared(&self) -> Result<(), StoreError> {
        let steps = [
            Migration::new("0001-functions", ddl::SHARED),
            Migration::new("0002-tenants", SHARED_TABLES),
            Migration::new("0003-texts-and-numbers", ddl::SHARED_TEXTS_AND_NUMBERS),
            Migration::new("0004-lives-of-tenants", super::tenants::SHARED_LIVES),
            Migration::new("0005-concat", ddl::SHARED_CONCAT),
            Migration::new(
                "0006-cheaper-texts",
                include_str!("../shared/cheaper_texts.sql"),
            ),
            Migration::new("0007-change-notices", ddl::SHARED_CHANGE_NOTICES),
        ];
        self.database.migrate(SHARED_SCHEMA, &steps).await?;
        Ok(())
    }

    /// Creates or completes a tenant's tables, then runs the areas' own migrations. New tables get
    /// their indexes at once; existing ones keep theirs until [`Store::build_indexes`].
    ///
    /// # Errors
    /// When a step fails; then nothing is changed.
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
        let missing: Vec<_> = self
            .catalog
            .iter()
            .map(|collection| (collection, tables.missing(schema, collection)))
            .filter(|(_, missing)| !missing.is_empty())
            .collect();
        let steps = self.steps(tenant);
        let beside = self.beside_tables(schema);
        let own: Vec<Migration> = own_steps
            .iter()
            .map(|(id, sql)| Migration::new(*id, sql.replace("{schema}", schema)))
            .collect();
        let anything = !missing.is_empty()
            || steps
                .iter()
                .chain(&beside)
                .chain(&own)
                .any(|step| !migrator.knows(&step.id));
        // A new tenant has no tables on which another process could be building indexes.
        if anything && !tables.is_empty() {
            migrator.hold_off_builds().await?;
        }
        if anything && tables.columns.contains_key(DEFERRED) {
            // The steps of a release may drop or replace an index that a killed load has left dropped.
            for index in deferred_of(&transaction, schema).await? {
                let drop = format!("DROP INDEX IF EXISTS {schema}.{}", index.name);
                migrator.run(&drop).await?;
                migrator.run(&index.sql).await?;
            }
            migrator
                .run(&format!("DELETE FROM {schema}.{DEFERRED}"))
                .await?;
        }
        for step in &steps {
            migrator.step(step).await?;
        }
        for (collection, missing) in missing {
            for missing_part in missing {
                complete(
                    &mut migrator,
                    &transaction,
                    schema,
                    collection,
                    missing_part,
                )
                .await?;
            }
        }
        for collection in self.catalog.iter() {
            let (id, sql) = table_step(schema, collection);
            if !migrator.is_current(&id, &sql) {
                migrator.record(&id, &sql);
            }
        }
        for step in beside.iter().chain(&own) {
            migrator.step(step).await?;
        }
        let outcome = migrator.finish().await?;
        transaction.commit().await?;
        let indexes = self.index_facts(tenant).await?;
        Ok(Provisioned {
            applied: outcome.applied,
            changed: outcome.changed,
            pending_indexes: indexes.pending(),
            undeclared_indexes: indexes.undeclared(),
        })
    }

    /// The migrations of every tenant apart from its collections' tables.
    fn steps(&self, tenant: &Tenant) -> Vec<Migration> {
        let schema = tenant.schema();
        let mut steps = vec![
            Migration::new("outbox", ddl::outbox(schema)),
            Migration::new("outbox events", ddl::outbox_events(schema, tenant.id())),
            Migration::new("index-keeping", ddl::index_keeping(schema)),
            Migration::new("deferred indexes", ddl::deferred_indexes(schema)),
            Migration::new(
                "outbox differences",
                ddl::outbox_differences(schema, tenant.id()),
            ),
            Migration::new("outbox transactions", ddl::outbox_transactions(schema)),
            Migration::new("outbox readers", ddl::outbox_readers(schema)),
        ];
        for collection in self.catalog.iter() {
            if let (Some(audit), Some(sql)) = (&collection.audit, ddl::audit(schema, collection)) {
                steps.push(Migration::new(format!("audit {}", audit.table), sql));
            }
        }
        steps
    }

    /// The steps that complete tables: narrow rows beside records, notices of changes.
    fn beside_tables(&self, schema: &str) -> Vec<Migration> {
        let rows = self
            .catalog
            .iter()
            .filter_map(|collection| search_rows::step(schema, collection));
        let notices = self
            .catalog
            .iter()
            .filter_map(|collection| ddl::change_notice(schema, collection));
        rows.chain(notices)
            .map(|(id, sql)| Migration::new(id, sql))
            .collect()
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
        for step in self.beside_tables(schema) {
            add(&step.id, &step.sql);
        }
        for (id, sql) in own_steps {
            add(id, sql);
        }
        text
    }

    /// Runs an empty statement to check that the database answers.
    #[boxed]
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.database.query("SELECT 1", &[]).await?;
        Ok(())
    }

    /// Adds records that are not there yet, all or none: of each collection by one statement.
    ///
    /// # Errors
    /// When one of them violates a key or a reference.
    #[boxed]
    pub async fn seed(
        &self,
        tenant: &Tenant,
        seeds: Vec<(&Collection, Vec<Map<String, Value>>)>,
    ) -> Result<(), StoreError> {
        if seeds.is_empty() {
            return Ok(());
        }
        let transaction = self.database.transaction().await?;
        let stamp = Stamp::now(None);
        for (collection, records) in seeds {
            insert_absent(&transaction, tenant, collection, records, &stamp).await?;
        }
        transaction.commit().await?;
        Ok(())
    }
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
    missing_part: Missing,
) -> Result<(), DatabaseError> {
    let table = &collection.table;
    match missing_part {
        Missing::Table => {
            let (id, sql) = table_step(schema, collection);
            migrator.run(&sql).await?;
            migrator.record(&id, &sql);
            migrator.applied(id);
            for sql in ddl::indexes(schema, collection) {
                let wanted = DeclaredIndex::of(table, sql);
                migrator.run(&wanted.sql).await?;
                migrator.record(&wanted.step(), &wanted.sql);
                migrator.applied(wanted.step());
            }
        }
        Missing::Column { column, sql } => {
            log_table_rewrite(transaction, schema, table, &column).await?;
            migrator.run(&sql).await?;
            migrator.applied(format!("column {table}.{column}"));
        }
        Missing::Layout { columns, sql } => {
            log_table_rewrite(transaction, schema, table, &columns.join(", ")).await?;
            migrator.run(&sql).await?;
            for column in columns {
                migrator.applied(format!("column {table}.{column}"));
            }
        }
        Missing::Sequence { sql } => {
            migrator.run(&sql).await?;
            migrator.applied(format!("sequence {table}_hrid_seq"));
        }
    }
    Ok(())
}

/// Logs that a new generated column rewrites the table, which is locked meanwhile.
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
