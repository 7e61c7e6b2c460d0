//! The registry's statements: registered modules, where they run, what each tenant has enabled.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError, Migration, Transaction};
use serde_json::Value;

/// The schema of what tenants share.
const SHARED_SCHEMA: &str = "octavo";

/// Tells every process to read the registry again.
pub const CHANNEL: &str = "octavo_registry";

/// SQLSTATE of what PostgreSQL does not do, such as emptying a table that a foreign key refers to.
const FEATURE_NOT_SUPPORTED: &str = "0A000";

const TABLES: &str = "
ALTER TABLE octavo.tenant ADD COLUMN native_modules boolean NOT NULL DEFAULT true;
CREATE TABLE octavo.module (
  id text PRIMARY KEY,
  descriptor jsonb NOT NULL,
  registered_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE octavo.tenant_module (
  tenant text NOT NULL REFERENCES octavo.tenant (id) ON DELETE CASCADE,
  module text NOT NULL,
  enabled boolean NOT NULL,
  PRIMARY KEY (tenant, module)
);
CREATE TABLE octavo.deployment (
  service text NOT NULL,
  instance text NOT NULL,
  url text NOT NULL,
  document jsonb NOT NULL,
  PRIMARY KEY (service, instance)
);
CREATE TABLE octavo.environment (
  name text PRIMARY KEY,
  document jsonb NOT NULL
);
CREATE TABLE octavo.install_job (
  tenant text NOT NULL REFERENCES octavo.tenant (id) ON DELETE CASCADE,
  id text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  document jsonb NOT NULL,
  PRIMARY KEY (tenant, id)
);
CREATE FUNCTION octavo.notify_registry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('octavo_registry', '');
  RETURN NULL;
END $$;
CREATE TRIGGER notify_registry AFTER INSERT OR DELETE OR TRUNCATE
  OR UPDATE OF id, name, description, native_modules ON octavo.tenant
  FOR EACH STATEMENT EXECUTE FUNCTION octavo.notify_registry();
CREATE TRIGGER notify_registry AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON octavo.module
  FOR EACH STATEMENT EXECUTE FUNCTION octavo.notify_registry();
CREATE TRIGGER notify_registry AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON octavo.tenant_module
  FOR EACH STATEMENT EXECUTE FUNCTION octavo.notify_registry();
CREATE TRIGGER notify_registry AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON octavo.deployment
  FOR EACH STATEMENT EXECUTE FUNCTION octavo.notify_registry();
CREATE TRIGGER notify_registry AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON octavo.environment
  FOR EACH STATEMENT EXECUTE FUNCTION octavo.notify_registry();
";

/// One tenant as it is stored.
#[derive(Debug)]
pub struct TenantRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: Option<String>,
    /// Whether native modules are enabled unless they were disabled.
    pub native_modules: bool,
}

/// All that is stored.
#[derive(Debug)]
pub struct Stored {
    /// The tenants.
    pub tenants: Vec<TenantRow>,
    /// Descriptors of remote modules.
    pub modules: Vec<Value>,
    /// Tenant, module (a native one's product, a remote one's id) and whether it is enabled.
    pub tenant_modules: Vec<(String, String, bool)>,
    /// Where remote modules run, as clients told.
    pub deployments: Vec<Value>,
    /// The environment's entries.
    pub environment: Vec<Value>,
}

/// What a tenant has chosen of modules.
#[derive(Debug)]
pub struct Choice {
    /// Whether it has native modules that it says nothing of.
    pub native_modules: bool,
    /// Modules (a native one's product, a remote one's id) and whether they are enabled.
    pub modules: HashMap<String, bool>,
}

/// What a tenant has chosen; nothing when there is no such tenant yet.
#[boxed]
pub async fn choice(database: &Database, tenant: &str) -> Result<Option<Choice>, DatabaseError> {
    let sql = "SELECT tenant.native_modules, chosen.module, chosen.enabled FROM octavo.tenant \
               LEFT JOIN octavo.tenant_module AS chosen ON chosen.tenant = tenant.id \
               WHERE tenant.id = $1";
    let rows = database.query(sql, &[&tenant]).await?;
    Ok(rows.first().map(|row| Choice {
        native_modules: row.get("native_modules"),
        modules: rows
            .iter()
            .filter_map(|row| Some((row.get::<_, Option<String>>("module")?, row.get("enabled"))))
            .collect(),
    }))
}

/// Makes the tables, once.
///
/// # Errors
/// When the database does not answer or does not allow it.
#[boxed]
pub async fn prepare(database: &Database) -> Result<(), DatabaseError> {
    let steps = [Migration::new("registry", TABLES)];
    database.migrate(SHARED_SCHEMA, &steps).await?;
    Ok(())
}

/// Reads everything.
#[boxed]
pub async fn read(database: &Database) -> Result<Stored, DatabaseError> {
    let documents = |sql: &'static str| async move {
        let rows = database.query(sql, &[]).await?;
        Ok::<Vec<Value>, DatabaseError>(rows.iter().map(|row| row.get("document")).collect())
    };
    let tenants = async {
        let sql = "SELECT id, name, description, native_modules FROM octavo.tenant ORDER BY id";
        let rows = database.query(sql, &[]).await?;
        let tenant = |row: &octavo_postgres::Row| TenantRow {
            id: row.get("id"),
            name: row.get("name"),
            description: row.get("description"),
            native_modules: row.get("native_modules"),
        };
        Ok(rows.iter().map(tenant).collect())
    };
    let tenant_modules = async {
        let sql = "SELECT tenant, module, enabled FROM octavo.tenant_module";
        let rows = database.query(sql, &[]).await?;
        Ok(rows
            .iter()
            .map(|row| (row.get("tenant"), row.get("module"), row.get("enabled")))
            .collect())
    };
    let (tenants, modules, tenant_modules, deployments, environment) = tokio::try_join!(
        tenants,
        documents("SELECT descriptor AS document FROM octavo.module ORDER BY id"),
        tenant_modules,
        documents("SELECT document FROM octavo.deployment ORDER BY service, instance"),
        documents("SELECT document FROM octavo.environment ORDER BY name"),
    )?;
    Ok(Stored {
        tenants,
        modules,
        tenant_modules,
        deployments,
        environment,
    })
}

/// Registers modules that were not yet.
#[boxed]
pub async fn add_modules(
    database: &Database,
    modules: &[(String, Value)],
) -> Result<(), DatabaseError> {
    let (ids, documents): (Vec<&str>, Vec<&Value>) = modules
        .iter()
        .map(|(id, document)| (id.as_str(), document))
        .unzip();
    let sql = "INSERT INTO octavo.module (id, descriptor) \
               SELECT * FROM unnest($1::text[], $2::jsonb[]) ON CONFLICT DO NOTHING";
    database.execute(sql, &[&ids, &documents]).await?;
    Ok(())
}

/// Removes modules, unless a tenant has one of them enabled: then gives module and tenant and
/// removes none.
#[boxed]
pub async fn remove_modules(
    database: &Database,
    ids: &[String],
) -> Result<Option<(String, String)>, DatabaseError> {
    let transaction = database.transaction().await?;
    // Nobody enables one meanwhile.
    transaction
        .batch_execute("LOCK TABLE octavo.tenant_module IN SHARE MODE")
        .await?;
    let sql = "SELECT module, tenant FROM octavo.tenant_module WHERE enabled AND module = ANY($1) \
               ORDER BY module, tenant LIMIT 1";
    if let Some(row) = transaction.query_opt(sql, &[&ids]).await? {
        return Ok(Some((row.get("module"), row.get("tenant"))));
    }
    transaction
        .execute("DELETE FROM octavo.module WHERE id = ANY($1)", &[&ids])
        .await?;
    transaction
        .execute(
            "DELETE FROM octavo.tenant_module WHERE module = ANY($1)",
            &[&ids],
        )
        .await?;
    transaction.commit().await?;
    Ok(None)
}

/// Notes that a tenant has a module enabled or not, and no longer the one that it replaces.
#[boxed]
pub async fn set_enabled(
    database: &Database,
    tenant: &str,
    module: &str,
    enabled: bool,
    replaced: Option<&str>,
) -> Result<(), DatabaseError> {
    let transaction = database.transaction().await?;
    let sql = "INSERT INTO octavo.tenant_module (tenant, module, enabled) VALUES ($1, $2, $3) \
               ON CONFLICT (tenant, module) DO UPDATE SET enabled = $3";
    // Noted as disabled, not forgotten: a native one is enabled unless that is noted.
    if let Some(replaced) = replaced {
        transaction
            .execute(sql, &[&tenant, &replaced, &false])
            .await?;
    }
    transaction
        .execute(sql, &[&tenant, &module, &enabled])
        .await?;
    transaction.commit().await
}

/// Says whether a tenant has native modules unless they were disabled, or only those enabled.
#[boxed]
pub async fn set_native_modules(
    database: &Database,
    tenant: &str,
    all: bool,
) -> Result<(), DatabaseError> {
    let sql = "UPDATE octavo.tenant SET native_modules = $2 WHERE id = $1";
    database.execute(sql, &[&tenant, &all]).await?;
    Ok(())
}

/// Notes where an instance of a module runs; gives whether there was none of this id.
#[boxed]
pub async fn add_deployment(
    database: &Database,
    service: &str,
    instance: &str,
    url: &str,
    document: &Value,
) -> Result<bool, DatabaseError> {
    let sql = "INSERT INTO octavo.deployment (service, instance, url, document) \
               VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
    Ok(database
        .execute(sql, &[&service, &instance, &url, document])
        .await?
        > 0)
}

/// Changes where an instance runs; gives whether there is one.
#[boxed]
pub async fn change_deployment(
    database: &Database,
    service: &str,
    instance: &str,
    url: &str,
    document: &Value,
) -> Result<bool, DatabaseError> {
    let sql = "UPDATE octavo.deployment SET url = $3, document = $4 \
               WHERE service = $1 AND instance = $2";
    Ok(database
        .execute(sql, &[&service, &instance, &url, document])
        .await?
        > 0)
}

/// Forgets instances: all, those of a module, or one; gives how many.
#[boxed]
pub async fn remove_deployments(
    database: &Database,
    service: Option<&str>,
    instance: Option<&str>,
) -> Result<u64, DatabaseError> {
    let sql = "DELETE FROM octavo.deployment \
               WHERE ($1::text IS NULL OR service = $1) AND ($2::text IS NULL OR instance = $2)";
    database.execute(sql, &[&service, &instance]).await
}

/// Sets an entry of the environment.
#[boxed]
pub async fn set_environment(
    database: &Database,
    name: &str,
    document: &Value,
) -> Result<(), DatabaseError> {
    let sql = "INSERT INTO octavo.environment (name, document) VALUES ($1, $2) \
               ON CONFLICT (name) DO UPDATE SET document = $2";
    database.execute(sql, &[&name, document]).await?;
    Ok(())
}

/// Removes an entry of the environment; gives whether there was one.
#[boxed]
pub async fn remove_environment(database: &Database, name: &str) -> Result<bool, DatabaseError> {
    let sql = "DELETE FROM octavo.environment WHERE name = $1";
    Ok(database.execute(sql, &[&name]).await? > 0)
}

/// Writes an install job down.
#[boxed]
pub async fn write_job(
    database: &Database,
    tenant: &str,
    id: &str,
    document: &Value,
) -> Result<(), DatabaseError> {
    let sql = "INSERT INTO octavo.install_job (tenant, id, document) VALUES ($1, $2, $3) \
               ON CONFLICT (tenant, id) DO UPDATE SET document = $3";
    database.execute(sql, &[&tenant, &id, document]).await?;
    Ok(())
}

/// A tenant's install jobs, the oldest first; or the one of an id.
#[boxed]
pub async fn jobs(
    database: &Database,
    tenant: &str,
    id: Option<&str>,
) -> Result<Vec<Value>, DatabaseError> {
    let sql = "SELECT document FROM octavo.install_job \
               WHERE tenant = $1 AND ($2::text IS NULL OR id = $2) ORDER BY started_at LIMIT 1000";
    let rows = database.query(sql, &[&tenant, &id]).await?;
    Ok(rows.iter().map(|row| row.get("document")).collect())
}

/// Removes a tenant's install jobs that are complete, or the one of an id.
#[boxed]
pub async fn remove_jobs(
    database: &Database,
    tenant: &str,
    id: Option<&str>,
) -> Result<(), DatabaseError> {
    let sql = "DELETE FROM octavo.install_job WHERE tenant = $1 \
               AND ($2::text IS NULL OR id = $2) AND (document->>'complete')::boolean";
    database.execute(sql, &[&tenant, &id]).await?;
    Ok(())
}

/// Waits until nobody else changes a tenant's modules; they are the caller's until the transaction
/// ends.
///
/// # Errors
/// When somebody else takes too long, or the database does not answer.
#[boxed]
pub async fn take_turn(database: &Database, tenant: &str) -> Result<Transaction, DatabaseError> {
    let transaction = database.transaction().await?;
    // What is done in a turn may take long, and is done on other connections.
    transaction
        .batch_execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        .await?;
    let sql = "SELECT pg_advisory_xact_lock(hashtextextended('octavo modules of ' || $1, 0))";
    transaction.query(sql, &[&tenant]).await?;
    Ok(transaction)
}

/// Removes all records of tables, which stand in the order in which they refer to each other.
///
/// # Errors
/// When records of other tables refer to them, or the database does not answer.
#[boxed]
pub async fn purge(
    database: &Database,
    schema: &str,
    tables: &[String],
) -> Result<(), DatabaseError> {
    if tables.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = tables
        .iter()
        .map(|table| format!("{schema}.{table}"))
        .collect();
    let transaction = database.transaction().await?;
    let sql = format!("TRUNCATE {}", named.join(", "));
    match transaction.batch_execute(&sql).await {
        Ok(()) => return transaction.commit().await,
        // Tables of other modules could refer to them; whether a record does is still to be seen.
        Err(error) if error.code() == Some(FEATURE_NOT_SUPPORTED) => drop(transaction),
        Err(error) => return Err(error),
    }
    let transaction = database.transaction().await?;
    let each = named
        .iter()
        .rev()
        .map(|table| format!("DELETE FROM {table};"));
    transaction.batch_execute(&each.collect::<String>()).await?;
    transaction.commit().await
}
