//! Single records of a tenant: its locale and the address of its front end. Both are looked up in the
//! configuration too, where FOLIO has them; later releases have interfaces of their own.

use octavo_boxed::boxed;
use octavo_records::expression::equality;
use octavo_records::{Catalog, Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

use crate::collections::{BASE_URL, LOCALE};

/// The id of the one record of each of these tables.
const ONLY: Uuid = Uuid::from_u128(1);

/// SQL for the tenant's locale as JSON in a text, for use in other statements; read it with
/// `app/locale.rs`. The configuration takes precedence over `PUT /locale`, which changes the
/// configuration too, so that clients of both see the same. Entries count whether they are enabled or
/// not, as in FOLIO; a user's own are not the tenant's.
#[must_use]
pub fn locale_text(tenant: &Tenant, catalog: &Catalog) -> String {
    let schema = tenant.schema();
    format!(
        "coalesce((SELECT jsonb->>'value' FROM {schema}.config_data WHERE {} \
         ORDER BY jsonb->>'code' IS NOT NULL, \
         coalesce((jsonb->>'enabled')::boolean, true) DESC, id LIMIT 1), \
         (SELECT jsonb::text FROM {schema}.{LOCALE} LIMIT 1))",
        locale_entries(catalog)
    )
}

/// The configuration entries that hold the tenant's locale, as a condition.
fn locale_entries(catalog: &Catalog) -> String {
    format!(
        "{} AND jsonb->>'configName' = 'localeSettings' AND jsonb->>'userId' IS NULL \
         AND jsonb->>'value' IS NOT NULL",
        of_module(catalog, "'ORG'")
    )
}

/// The entries of the configuration that hold the tenant's locale: ids and documents, locked until the
/// transaction ends.
#[boxed]
pub async fn hold_locale_entries(
    executor: &dyn Executor,
    tenant: &Tenant,
    catalog: &Catalog,
) -> Result<Vec<(Uuid, Value)>, StoreError> {
    // In the order of ids, so that two writers of the locale cannot deadlock.
    let sql = format!(
        "SELECT id, jsonb FROM {}.config_data WHERE {} ORDER BY id FOR NO KEY UPDATE",
        tenant.schema(),
        locale_entries(catalog)
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("jsonb")))
        .collect())
}

/// The tenant's locale as JSON in a text.
#[boxed]
pub async fn locale(
    executor: &dyn Executor,
    tenant: &Tenant,
    catalog: &Catalog,
) -> Result<Option<String>, StoreError> {
    text(executor, &locale_text(tenant, catalog)).await
}

/// The address of the tenant's front end.
#[boxed]
pub async fn base_url(
    executor: &dyn Executor,
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

async fn text(executor: &dyn Executor, expression: &str) -> Result<Option<String>, StoreError> {
    let rows = executor
        .rows(&format!("SELECT {expression} AS text"), &[])
        .await?;
    Ok(rows.first().and_then(|row| row.get("text")))
}

/// Stores or replaces the single record of a table: of two concurrent writes the later one wins.
#[boxed]
pub async fn keep(
    executor: &dyn Executor,
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
