//! What a tenant has once: its locale and the address of its front end. Both are looked for in the
//! configuration too, where releases before their own interfaces keep them. The locale is there first:
//! clients of the release that is announced know no other place.

use octavo_records::expression::equality;
use octavo_records::{Catalog, Executor, StoreError, Tenant};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::collections::{BASE_URL, LOCALE};

/// The id of the one record of each of these tables.
const ONLY: Uuid = Uuid::from_u128(1);

/// SQL for the tenant's locale as JSON in a text, for whoever reads it along with more; read it
/// with [`crate::app::locale`]. An entry of the configuration counts whether it is enabled or not; of
/// several, one that is enabled goes first. A user's own `localeSettings` are not the tenant's.
#[must_use]
pub fn locale_text(tenant: &Tenant, catalog: &Catalog) -> String {
    let schema = tenant.schema();
    format!(
        "coalesce((SELECT jsonb->>'value' FROM {schema}.config_data WHERE {} LIMIT 1), \
         (SELECT jsonb::text FROM {schema}.{LOCALE} LIMIT 1))",
        locale_entries(catalog)
    )
}

/// The condition of the tenant's entries of a locale, in the order in which they count.
fn locale_entries(catalog: &Catalog) -> String {
    format!(
        "{} AND jsonb->>'configName' = 'localeSettings' AND jsonb->>'userId' IS NULL \
         ORDER BY NOT coalesce((jsonb->>'enabled')::boolean, true), jsonb->>'code' IS NOT NULL, id",
        of_module(catalog, "'ORG'")
    )
}

/// The entry of the configuration that says the tenant's locale, held; nothing where there is none.
///
/// # Errors
/// When the database does not answer.
pub async fn held_locale_entry(
    executor: &impl Executor,
    tenant: &Tenant,
    catalog: &Catalog,
) -> Result<Option<(Uuid, Map<String, Value>)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {}.config_data WHERE {} LIMIT 1 FOR NO KEY UPDATE",
        tenant.schema(),
        locale_entries(catalog)
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().and_then(|row| match row.get(1) {
        Value::Object(entry) => Some((row.get(0), entry)),
        _ => None,
    }))
}

/// The tenant's locale as JSON in a text.
///
/// # Errors
/// When the database does not answer.
pub async fn locale(
    executor: &impl Executor,
    tenant: &Tenant,
    catalog: &Catalog,
) -> Result<Option<String>, StoreError> {
    text(executor, &locale_text(tenant, catalog)).await
}

/// The address of the tenant's front end.
///
/// # Errors
/// When the database does not answer.
pub async fn base_url(
    executor: &impl Executor,
    tenant: &Tenant,
    catalog: &Catalog,
) -> Result<Option<String>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "coalesce((SELECT jsonb->>'baseUrl' FROM {schema}.{BASE_URL} LIMIT 1), \
         (SELECT jsonb->>'value' FROM {schema}.config_data WHERE {} \
         AND jsonb->>'code' = 'FOLIO_HOST' AND jsonb->>'userId' IS NULL \
         AND coalesce((jsonb->>'enabled')::boolean, true) LIMIT 1))",
        of_module(catalog, "'USERSBL'")
    );
    text(executor, &sql).await
}

fn of_module(catalog: &Catalog, literal: &str) -> String {
    let entries = catalog.get("config_data");
    let entries = entries.expect("invariant: configuration declares its own tables");
    equality(entries, "module", literal)
}

async fn text(executor: &impl Executor, expression: &str) -> Result<Option<String>, StoreError> {
    let rows = executor.rows(&format!("SELECT {expression}"), &[]).await?;
    Ok(rows.first().and_then(|row| row.get(0)))
}

/// Stores the one record of a table, whatever was there: of two at once the later one stays.
///
/// # Errors
/// When the database does not answer.
pub async fn keep(
    executor: &impl Executor,
    tenant: &Tenant,
    table: &str,
    mut document: Value,
) -> Result<(), StoreError> {
    document["id"] = Value::String(ONLY.to_string());
    let sql = format!(
        "INSERT INTO {}.{table} (id, jsonb) VALUES ($1, $2) \
         ON CONFLICT (id) DO UPDATE SET jsonb = excluded.jsonb",
        tenant.schema()
    );
    executor.rows(&sql, &[&ONLY, &document]).await?;
    Ok(())
}
