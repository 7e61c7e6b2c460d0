//! Vouchers and their lines.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Tables;

/// The voucher of an invoice, locked; the newest where storage was given several.
#[boxed]
pub async fn of_invoice(
    executor: &dyn Executor,
    tables: Tables<'_>,
    invoice: Uuid,
) -> Result<Option<(Uuid, Map<String, Value>)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE invoiceid = $1 \
         ORDER BY jsonb->'metadata'->>'createdDate' DESC, id LIMIT 1 FOR NO KEY UPDATE",
        tables.table("vouchers")
    );
    let rows = executor.rows(&sql, &[&invoice]).await?;
    Ok(rows.first().and_then(|row| match row.get("jsonb") {
        Value::Object(document) => Some((row.get("id"), document)),
        _ => None,
    }))
}

/// Deletes the lines of a voucher.
#[boxed]
pub async fn delete_lines(
    executor: &dyn Executor,
    tables: Tables<'_>,
    voucher: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {} WHERE voucherid = $1",
        tables.table("voucher_lines")
    );
    executor.rows(&sql, &[&voucher]).await?;
    Ok(())
}

/// Deletes the vouchers of an invoice with their lines.
#[boxed]
pub async fn delete_of_invoice(
    executor: &dyn Executor,
    tables: Tables<'_>,
    invoice: Uuid,
) -> Result<(), StoreError> {
    let (vouchers, lines) = (tables.table("vouchers"), tables.table("voucher_lines"));
    let sql = format!(
        "WITH gone AS (DELETE FROM {lines} WHERE voucherid IN \
         (SELECT id FROM {vouchers} WHERE invoiceid = $1)) \
         SELECT 1"
    );
    executor.rows(&sql, &[&invoice]).await?;
    let sql = format!("DELETE FROM {vouchers} WHERE invoiceid = $1");
    executor.rows(&sql, &[&invoice]).await?;
    Ok(())
}
