//! What a library has set about forgotten passwords: the configuration entries of the module
//! `USERSBL`.

use octavo_records::{Executor, StoreError};

use super::Tables;

/// Entries of the module that are read at most.
const ENTRIES_MAX: i64 = 100;

/// The codes and values of the module's enabled entries.
///
/// # Errors
/// When the database does not answer.
pub async fn entries(
    executor: &impl Executor,
    tables: Tables<'_>,
) -> Result<Vec<(String, String)>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'code', jsonb->>'value' FROM {} WHERE {} \
         AND coalesce((jsonb->>'enabled')::boolean, true) AND jsonb->>'code' IS NOT NULL \
         AND jsonb->>'value' IS NOT NULL ORDER BY id LIMIT $2",
        tables.table("config_data"),
        tables.equals("config_data", "module", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&"USERSBL", &ENTRIES_MAX]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}
