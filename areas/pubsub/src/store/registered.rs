//! Modules that are registered for event types.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::Value;
use uuid::Uuid;

use crate::rules::Role;

fn table(tables: Tables<'_>) -> String {
    tables.table("pubsub_messaging_module")
}

/// The modules of a type in a role, as clients see them.
#[boxed]
pub async fn of_type(
    executor: &dyn Executor,
    tables: Tables<'_>,
    event_type: &str,
    role: Role,
) -> Result<Vec<Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb_strip_nulls(jsonb_build_object('id', id, 'eventType', event_type, \
         'moduleId', module_id, 'tenantId', $3::text, 'moduleRole', role, 'activated', activated, \
         'subscriberCallback', callback)) AS module \
         FROM {} WHERE event_type = $1 AND role = $2 ORDER BY module_id",
        table(tables)
    );
    let tenant = tables.tenant.id();
    let values: octavo_records::Values<'_> = &[&event_type, &role.name(), &tenant];
    let rows = executor.rows(&sql, values).await?;
    Ok(rows.iter().map(|row| row.get("module")).collect())
}

/// The ids of all modules of a type.
#[boxed]
pub async fn ids_of_type(
    executor: &dyn Executor,
    tables: Tables<'_>,
    event_type: &str,
) -> Result<Vec<String>, StoreError> {
    let sql = format!(
        "SELECT DISTINCT module_id FROM {} WHERE event_type = $1 ORDER BY module_id",
        table(tables)
    );
    let rows = executor.rows(&sql, &[&event_type]).await?;
    Ok(rows.iter().map(|row| row.get("module_id")).collect())
}

/// Whether a module may publish events of a type; none where it is not registered.
#[boxed]
pub async fn publishes(
    executor: &dyn Executor,
    tables: Tables<'_>,
    event_type: &str,
    module: &str,
) -> Result<Option<bool>, StoreError> {
    let sql = format!(
        "SELECT activated FROM {} WHERE event_type = $1 AND role = 'PUBLISHER' AND module_id = $2",
        table(tables)
    );
    let rows = executor.rows(&sql, &[&event_type, &module]).await?;
    Ok(rows.first().map(|row| row.get("activated")))
}

/// Forgets what any version of a module has declared in a role, and keeps others from declaring until the
/// transaction ends.
#[boxed]
pub async fn forget_product(
    transaction: &Transaction,
    tables: Tables<'_>,
    module: &str,
    role: Role,
) -> Result<(), StoreError> {
    let table = table(tables);
    transaction
        .batch_execute(&format!("LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE"))
        .await?;
    let sql = format!(
        "DELETE FROM {table} WHERE role = $2 \
         AND product = regexp_replace($1::text, '-[0-9][^-]*(-.*)?$', '')"
    );
    transaction.rows(&sql, &[&module, &role.name()]).await?;
    Ok(())
}

/// Registers a module for a type.
#[boxed]
pub async fn register(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (event_type, module): (&str, &str),
    role: Role,
    callback: Option<&str>,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {} (event_type, module_id, role, callback) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (event_type, role, module_id) DO UPDATE SET callback = excluded.callback",
        table(tables)
    );
    let values: octavo_records::Values<'_> = &[&event_type, &module, &role.name(), &callback];
    executor.rows(&sql, values).await?;
    Ok(())
}

/// Forgets a module in a role, for one type or for all.
#[boxed]
pub async fn forget(
    executor: &dyn Executor,
    tables: Tables<'_>,
    event_type: Option<&str>,
    module: &str,
    role: Role,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {} WHERE module_id = $1 AND role = $2 AND ($3::text IS NULL OR event_type = $3)",
        table(tables)
    );
    executor
        .rows(&sql, &[&module, &role.name(), &event_type])
        .await?;
    Ok(())
}

/// Who is to be told: its module and callback, while it is registered.
#[boxed]
pub async fn subscriber(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<(String, String)>, StoreError> {
    let sql = format!(
        "SELECT module_id, coalesce(callback, '') AS callback FROM {} WHERE id = $1 AND activated",
        table(tables)
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    let told = |row: &octavo_postgres::Row| (row.get("module_id"), row.get("callback"));
    Ok(rows.first().map(told))
}
