//! The tenant's settings for orders: entries of the configuration.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_configuration::store::tenant::locale_text;
use octavo_postgres::Row;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};

use super::Tables;

/// SQL for the values of the entries of a module (`$1`), by name. Of several with one name the first that was made counts.
fn entries_text(tables: Tables<'_>) -> String {
    // Of values with the same name the last stays.
    format!(
        "(SELECT jsonb_object_agg(name, value ORDER BY id DESC) FROM (
           SELECT id, jsonb->>'configName' AS name, jsonb->>'value' AS value FROM {}
           WHERE {} AND jsonb->>'userId' IS NULL
             AND coalesce((jsonb->>'enabled')::boolean, true)) AS entry
         WHERE name IS NOT NULL AND value IS NOT NULL)",
        tables.table("config_data"),
        tables.equals("config_data", "module", "$1::text")
    )
}

/// The values of the entries of a module, by name.
#[boxed]
pub async fn entries(
    executor: &dyn Executor,
    tables: Tables<'_>,
    module: &str,
) -> Result<HashMap<String, String>, StoreError> {
    let sql = format!("SELECT {} AS entries", entries_text(tables));
    let rows = executor.rows(&sql, &[&module]).await?;
    Ok(rows.first().map(entries_of).unwrap_or_default())
}

/// The same with the tenant's locale, which is JSON in a text.
#[boxed]
pub async fn entries_and_locale(
    executor: &dyn Executor,
    tables: Tables<'_>,
    module: &str,
) -> Result<(HashMap<String, String>, Option<String>), StoreError> {
    let sql = format!(
        "SELECT {} AS entries, {} AS locale",
        entries_text(tables),
        locale_text(tables.tenant, tables.catalog)
    );
    let rows = executor.rows(&sql, &[&module]).await?;
    let row = rows.first();
    Ok((
        row.map(entries_of).unwrap_or_default(),
        row.and_then(|row| row.get("locale")),
    ))
}

fn entries_of(row: &Row) -> HashMap<String, String> {
    let entries = match row.get::<_, Option<Value>>("entries") {
        Some(Value::Object(entries)) => entries,
        _ => Map::new(),
    };
    let text = |(name, value): (String, Value)| Some((name, value.as_str()?.to_owned()));
    entries.into_iter().filter_map(text).collect()
}

/// The value of a setting of orders' own.
#[boxed]
pub async fn own_setting(
    executor: &dyn Executor,
    tables: Tables<'_>,
    key: &str,
) -> Result<Option<String>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {}",
        tables.table("order_settings"),
        tables.equals("order_settings", "key", "$1::text")
    );
    let rows = executor.rows(&sql, &[&key]).await?;
    let found = rows.first().map(|row| row.get::<_, Value>("jsonb"));
    Ok(found.and_then(|setting| setting["value"].as_str().map(str::to_owned)))
}
