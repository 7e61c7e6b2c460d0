//! The settings of circulation, wherever they are kept.

use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Tables;
use crate::settings::{
    LOAN_HISTORY, NAMES, NOTICES_LIMIT, OTHER_SETTINGS, PRINT_HOLD_REQUESTS, Settings, TLR,
};

/// Where releases before the settings of circulation kept them: module and name.
const OLDER: [(&str, &str); 5] = [
    ("SETTINGS", TLR),
    ("SETTINGS", PRINT_HOLD_REQUESTS),
    ("NOTIFICATION_SCHEDULER", NOTICES_LIMIT),
    ("CHECKOUT", OTHER_SETTINGS),
    ("LOAN_HISTORY", LOAN_HISTORY),
];

/// Reads the settings; what is not among them is looked for in the configuration.
///
/// # Errors
/// When the database does not answer.
pub async fn settings(
    executor: &impl Executor,
    tables: Tables<'_>,
) -> Result<Settings, StoreError> {
    let sql = format!(
        "SELECT wanted.name, jsonb->'value', NULL::text
           FROM unnest($1::text[]) AS wanted(name) JOIN {} ON {}
         UNION ALL
         (SELECT older.name, NULL, jsonb->>'value'
           FROM unnest($2::text[], $3::text[]) AS older(module, name)
           JOIN {} ON {} AND jsonb->>'configName' = older.name
           WHERE jsonb->>'userId' IS NULL AND coalesce((jsonb->>'enabled')::boolean, true)
           ORDER BY jsonb->>'code' IS NOT NULL LIMIT 50)",
        tables.table("circulation_settings"),
        tables.equals("circulation_settings", "name", "wanted.name"),
        tables.table("config_data"),
        tables.equals("config_data", "module", "older.module"),
    );
    let names: Vec<&str> = NAMES.to_vec();
    let (modules, older): (Vec<&str>, Vec<&str>) = OLDER.into_iter().unzip();
    let rows = executor.rows(&sql, &[&names, &modules, &older]).await?;
    // Rows of a union come in no promised order: the newer ones go first.
    let (newer, older): (Vec<_>, Vec<_>) = rows
        .iter()
        .partition(|row| row.get::<_, Option<Value>>(1).is_some());
    let newer = newer.into_iter().map(|row| {
        let value: Option<Value> = row.get(1);
        (row.get(0), value.unwrap_or_default())
    });
    let older = older.into_iter().map(|row| {
        let text: Option<String> = row.get(2);
        (row.get(0), older_value(&text.unwrap_or_default()))
    });
    Ok(Settings::new(newer.chain(older)))
}

/// An entry of the configuration is a text: an object as JSON, or one value.
fn older_value(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ Value::Object(_)) => value,
        _ => json!({"value": text}),
    }
}

/// The setting of a name, held.
///
/// # Errors
/// When the database does not answer.
pub async fn held_by_name(
    executor: &impl Executor,
    tables: Tables<'_>,
    name: &str,
) -> Result<Option<(Uuid, Map<String, Value>)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE {} FOR NO KEY UPDATE",
        tables.table("circulation_settings"),
        tables.equals("circulation_settings", "name", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&name]).await?;
    Ok(rows.first().and_then(|row| match row.get(1) {
        Value::Object(document) => Some((row.get(0), document)),
        _ => None,
    }))
}
