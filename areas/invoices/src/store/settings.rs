//! The library's settings for invoices.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use serde_json::Value;

use super::Tables;

/// What stands before the numbers of vouchers.
#[boxed]
pub async fn voucher_prefix(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<String, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'value' AS value FROM {} WHERE {} \
         AND jsonb->>'configName' = 'voucherNumber' AND jsonb->>'userId' IS NULL \
         ORDER BY coalesce((jsonb->>'enabled')::boolean, true) DESC, id LIMIT 1",
        tables.table("config_data"),
        tables.equals("config_data", "module", "'INVOICE'"),
    );
    let rows = executor.rows(&sql, &[]).await?;
    let text: Option<String> = rows.first().and_then(|row| row.get("value"));
    let value: Value = text
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    let prefix = value["voucherNumberPrefix"].as_str().unwrap_or_default();
    Ok(prefix.to_owned())
}
