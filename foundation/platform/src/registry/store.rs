//! The registry's statements: registered modules, their addresses, and which of them each tenant
//! has enabled.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError, Migration, Transaction};
use serde_json::Value;

/// The schema of tables that tenants share.
const SHARED_SCHEMA: &str = "octavo";

/// The channel of notifications that the registry changed.
pub const CHANNEL: &str = "octavo_registry";

/// SQLSTATE of an unsupported operation, such as TRUNCATE of a table that a foreign key references.
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

/// What was purged, for whoever keeps something of it outside the database, such as topics of a broker. It deletes
/// the rows; without it they are deleted after a month.
const PURGES: &str = "
CREATE TABLE octavo.purge (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant text NOT NULL,
  module text,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE FUNCTION octavo.note_purge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO octavo.purge (tenant) VALUES (OLD.id);
  DELETE FROM octavo.purge WHERE at < now() - interval '30 days';
  RETURN NULL;
END $$;
CREATE TRIGGER note_purge AFTER DELETE ON octavo.tenant
  FOR EACH ROW EXECUTE FUNCTION octavo.note_purge();
";

/// One stored tenant.
#[derive(Debug)]
pub struct TenantRow {
    pub id: String,
    pub name: String,
    pub description: Option<String>,
    /// Whether native modules are enabled unless they were disabled.
    pub native_modules: bool,
}

/// The whole stored registry.
#[derive(Debug)]
pub struct Stored {
    pub tenants: Vec<TenantRow>,
    /// Descriptors of remote modules.
    pub modules: Vec<Value>,
    /// Tenant, module (the product of a native one, the id of a remote one) and whether it is
    /// enabled.
    pub tenant_modules: Vec<(String, String, bool)>,
    /// Instances of remote modules, as sent by clients.
    pub deployments: Vec<Value>,
    /// Environment variables.
    pub environment: Vec<Value>,
}

/// Which modules a tenant has enabled or disabled.
#[derive(Debug)]
pub struct TenantModules {
    /// Whether native modules that are not listed are enabled.
    pub native_modules: bool,
    /// Modules (the product of a native one, the id of a remote one) and whether they are enabled.
    pub modules: HashMap<String, bool>,
}

/// The modules of a tenant; `None` when there is no such tenant yet.
#[boxed]
pub async fn tenant_modules(
    database: &Database,
    tenant: &str,
) -> Result<Option<TenantModules>, DatabaseError> {
    let sql = "SELECT tenant.native_modules, chosen.module, chosen.enabled FROM octavo.tenant \
               LEFT JOIN octavo.tenant_module AS chosen ON chosen.tenant = tenant.id \
               WHERE tenant.id = $1";
    let rows = database.query(sql, &[&tenant]).await?;
    Ok(rows.first().map(|row| TenantModules {
        native_modules: row.get("native_modules"),
        modules: rows
            .iter()
            .filter_map(|row| Some((row.get::<_, Option<String>>("module")?, row.get("enabled"))))
            .collect(),
    }))
}

/// Creates the tables if they do not exist.
///
/// # Errors
/// When the database does not allow it.
#[boxed]
pub async fn prepare(database: &Database) -> Result<(), DatabaseError> {
    let steps = [
        Migration::new("registry", TABLES),
        Migration::new("purges", PURGES),
    ];
    database.migrate(SHARED_SCHEMA, &steps).await?;
    Ok(())
}

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

/// Inserts modules that are not registered yet.
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

/// Deletes modules, unless a tenant has one of them enabled: then returns module and tenant and
/// deletes none.
#[boxed]
pub async fn remove_modules(
    database: &Database,
    ids: &[String],
) -> Result<Option<(String, String)>, DatabaseError> {
    let transaction = database.transaction().await?;
    // The lock keeps others from enabling one of them meanwhile.
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

/// Stores whether a tenant has a module enabled, and disables the one that it replaces.
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
    // Stored as disabled and not deleted: without a row a native module is enabled.
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

/// Stores whether a tenant's native modules are enabled by default.
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

/// Inserts an instance of a module; returns false when its id exists.
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

/// Updates the address of an instance; returns false when it does not exist.
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

/// Deletes instances: all, those of a module, or one; returns their number.
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

/// Deletes an environment variable; returns whether it existed.
#[boxed]
pub async fn remove_environment(database: &Database, name: &str) -> Result<bool, DatabaseError> {
    let sql = "DELETE FROM octavo.environment WHERE name = $1";
    Ok(database.execute(sql, &[&name]).await? > 0)
}

/// Stores the state of an install job.
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

/// A tenant's install jobs, oldest first; or the one with an id.
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

/// Deletes a tenant's complete install jobs, or the one with an id.
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

/// Waits for the advisory lock on a tenant's modules; it is held until the transaction ends.
///
/// # Errors
/// When another holder takes too long.
#[boxed]
pub async fn lock_modules(database: &Database, tenant: &str) -> Result<Transaction, DatabaseError> {
    let transaction = database.transaction().await?;
    // The work under this lock may take long and runs on other connections, so this transaction is
    // idle meanwhile.
    transaction
        .batch_execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        .await?;
    let sql = "SELECT pg_advisory_xact_lock(hashtextextended('octavo modules of ' || $1, 0))";
    transaction.query(sql, &[&tenant]).await?;
    Ok(transaction)
}

/// Deletes all records of tables, which are in the order of their references.
///
/// # Errors
/// When records of other tables refer to them.
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
        // Another module's table has a foreign key to one of them. Whether a record uses it shows
        // with DELETE.
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

/// Notes that a module of a tenant is purged.
#[boxed]
pub async fn note_purge(
    database: &Database,
    tenant: &str,
    module: &str,
) -> Result<(), DatabaseError> {
    let sql = "INSERT INTO octavo.purge (tenant, module) VALUES ($1, $2)";
    database.execute(sql, &[&tenant, &module]).await?;
    Ok(())
}
