//! Reads the settings of circulation from all sources.

use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Tables;
use crate::settings::{CHECK_OUT_LOCK, CONFIGURATION, ENTRIES, OWN, SettingSource, Settings};

/// Reads the settings from all sources. In the configuration disabled entries count too, as in FOLIO;
/// enabled ones take precedence.
pub async fn settings(executor: &dyn Executor, tables: Tables<'_>) -> Result<Settings, StoreError> {
    let sql = format!(
        "SELECT 'entry' AS place, wanted.key, jsonb->'value' AS value, NULL::text AS text, 0 AS rank
           FROM unnest($1::text[], $2::text[]) AS wanted(scope, key)
           JOIN {} ON {} AND jsonb->>'key' = wanted.key AND jsonb->>'userId' IS NULL
         UNION ALL
         (SELECT 'configuration', wanted.name, NULL, jsonb->>'value',
             CASE WHEN coalesce((jsonb->>'enabled')::boolean, true) THEN 0 ELSE 2 END
               + (jsonb->>'code' IS NOT NULL)::int AS rank
           FROM unnest($3::text[], $4::text[]) AS wanted(module, name)
           JOIN {} ON {} AND jsonb->>'configName' = wanted.name AND jsonb->>'userId' IS NULL
           ORDER BY rank LIMIT 50)
         UNION ALL
         SELECT 'own', wanted.name, jsonb->'value', NULL, 0
           FROM unnest($5::text[]) AS wanted(name) JOIN {} ON {}",
        tables.table("setting_entry"),
        tables.equals("setting_entry", "scope", "wanted.scope"),
        tables.table("config_data"),
        tables.equals("config_data", "module", "wanted.module"),
        tables.table("circulation_settings"),
        tables.equals("circulation_settings", "name", "wanted.name"),
    );
    let (scopes, keys): (Vec<&str>, Vec<&str>) = ENTRIES.into_iter().unzip();
    let (modules, names): (Vec<&str>, Vec<&str>) = CONFIGURATION.into_iter().unzip();
    let own: Vec<&str> = OWN.to_vec();
    let mut rows = executor
        .rows(&sql, &[&scopes, &keys, &modules, &names, &own])
        .await?;
    // A union guarantees no order of rows.
    rows.sort_by_key(|row| row.get::<_, i32>("rank"));
    Ok(Settings::new(rows.iter().map(|row| {
        let (place, name): (String, String) = (row.get("place"), row.get("key"));
        let value: Option<Value> = row.get("value");
        match place.as_str() {
            "entry" => {
                let value = match value.unwrap_or_default() {
                    // FOLIO's clients store it as JSON in a text.
                    Value::String(text) if name == CHECK_OUT_LOCK => {
                        serde_json::from_str(&text).unwrap_or_default()
                    }
                    value => value,
                };
                (SettingSource::Entries, name, value)
            }
            "own" => (SettingSource::Own, name, value.unwrap_or_default()),
            _ => {
                let text: Option<String> = row.get("text");
                let value = configured(&text.unwrap_or_default());
                (SettingSource::Configuration, name, value)
            }
        }
    })))
}

/// An entry of the configuration is a text: an object as JSON, or one value.
fn configured(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ Value::Object(_)) => value,
        _ => json!({"value": text}),
    }
}

pub async fn held_by_name(
    executor: &dyn Executor,
    tables: Tables<'_>,
    name: &str,
) -> Result<Option<(Uuid, Map<String, Value>)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE {} FOR NO KEY UPDATE",
        tables.table("circulation_settings"),
        tables.equals("circulation_settings", "name", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&name]).await?;
    Ok(rows.first().and_then(|row| match row.get("jsonb") {
        Value::Object(document) => Some((row.get("id"), document)),
        _ => None,
    }))
}
