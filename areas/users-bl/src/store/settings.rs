//! The library's settings about forgotten passwords: from mod-settings, else from the configuration
//! entries of the module `USERSBL`. Both are named by the codes of the latter.

use octavo_records::{Executor, StoreError};

use super::Tables;

/// Entries that are read at most.
const ENTRIES_MAX: i64 = 100;
/// The module of the configuration entries.
const MODULE: &str = "USERSBL";
/// The scope of the settings.
const SCOPE: &str = "mod-users-bl.config.manage";
/// The keys of the settings and the corresponding codes.
const KEYS: [(&str, &str); 3] = [
    ("resetPasswordHost", "FOLIO_HOST"),
    ("resetPasswordPath", "RESET_PASSWORD_UI_PATH"),
    ("forgotPasswordPath", "FORGOT_PASSWORD_UI_PATH"),
];

/// Codes and values by precedence: the tenant's base URL, settings, enabled configuration entries.
pub async fn entries(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<Vec<(String, String)>, StoreError> {
    let mut parts = vec![format!(
        "SELECT 3 AS rank, id, jsonb->>'code' AS code, jsonb->>'value' AS value FROM {} \
         WHERE {} AND coalesce((jsonb->>'enabled')::boolean, true)",
        tables.table("config_data"),
        tables.equals("config_data", "module", "$1::text"),
    )];
    if tables.catalog.get("base_url").is_some() {
        parts.push(format!(
            "SELECT 1, id, 'FOLIO_HOST', rtrim(jsonb->>'baseUrl', '/') FROM {}",
            tables.table("base_url")
        ));
    }
    if tables.catalog.get("setting_entry").is_some() {
        let codes: Vec<String> = KEYS
            .iter()
            .map(|(key, code)| format!("WHEN '{key}' THEN '{code}'"))
            .collect();
        parts.push(format!(
            "SELECT 2, id, CASE jsonb->>'key' {} END, jsonb->>'value' FROM {} \
             WHERE {} AND jsonb->'userId' IS NULL",
            codes.join(" "),
            tables.table("setting_entry"),
            tables.equals("setting_entry", "scope", &format!("'{SCOPE}'::text")),
        ));
    }
    let sql = format!(
        "SELECT code, value FROM ({}) AS entries WHERE code IS NOT NULL AND value IS NOT NULL \
         ORDER BY rank, id LIMIT $2",
        parts.join(" UNION ALL ")
    );
    let rows = executor.rows(&sql, &[&MODULE, &ENTRIES_MAX]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("code"), row.get("value")))
        .collect())
}
