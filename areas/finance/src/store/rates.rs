//! The configured exchange rates.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};

use super::Tables;

/// The value of the enabled entry with the rates.
#[boxed]
pub async fn configured(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<Option<String>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'value' AS value FROM {} WHERE {} \
         AND jsonb->>'configName' = 'exchangeRates' AND jsonb->>'userId' IS NULL \
         AND coalesce((jsonb->>'enabled')::boolean, true) ORDER BY id LIMIT 1",
        tables.table("config_data"),
        tables.is("config_data", "module", "FINANCE"),
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().and_then(|row| row.get("value")))
}
