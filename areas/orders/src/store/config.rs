//! The tenant's settings for orders: entries of the configuration.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use serde_json::Value;

use super::Tables;

/// The values of the entries of a module, by name. Of several with one name the first that was made counts.
#[boxed]
pub async fn entries(
    executor: &dyn Executor,
    tables: Tables<'_>,
    module: &str,
) -> Result<HashMap<String, String>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'configName' AS name, jsonb->>'value' AS value FROM {}
         WHERE {} AND jsonb->>'userId' IS NULL
           AND coalesce((jsonb->>'enabled')::boolean, true)
         ORDER BY id DESC",
        tables.table("config_data"),
        tables.equals("config_data", "module", "$1::text")
    );
    let rows = executor.rows(&sql, &[&module]).await?;
    let entry = |row: &octavo_postgres::Row| {
        let name: Option<String> = row.get("name");
        Some((name?, row.get::<_, Option<String>>("value")?))
    };
    Ok(rows.iter().filter_map(entry).collect())
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
