//! Rollovers of ledgers, and the lines whose funds they concern.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::{Tables, docs};
use crate::rules::doc::{Doc, object};

/// The lines with a distribution on a fund of a ledger, locked in the order of their ids.
#[boxed]
pub async fn lines_on_ledger(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ledger_id: Uuid,
) -> Result<Vec<Doc>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {lines}
         WHERE EXISTS (SELECT FROM jsonb_array_elements(jsonb->'fundDistribution') AS row
           JOIN {fund} AS fund ON fund.id = (row->>'fundId')::uuid WHERE fund.ledgerid = $1)
         ORDER BY id FOR NO KEY UPDATE",
        lines = tables.table("po_line"),
        fund = tables.table("fund"),
    );
    Ok(docs(&executor.rows(&sql, &[&ledger_id]).await?))
}

/// The rollovers of ledgers into a fiscal year that have ended.
#[boxed]
pub async fn ended(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ledger_ids: &[Uuid],
    to_year: Uuid,
) -> Result<Vec<Doc>, StoreError> {
    let sql = format!(
        "SELECT rollover.jsonb FROM {rollovers} AS rollover JOIN {progress} AS progress
           ON progress.jsonb->>'ledgerRolloverId' = rollover.id::text
         WHERE rollover.jsonb->>'ledgerId' = ANY($1::text[])
           AND rollover.jsonb->>'toFiscalYearId' = $2
           AND rollover.jsonb->>'rolloverType' = 'Commit'
           AND progress.jsonb->>'overallRolloverStatus' IN ('Success', 'Error')",
        rollovers = tables.table("ledger_fiscal_year_rollover"),
        progress = tables.table("ledger_fiscal_year_rollover_progress"),
    );
    let ledgers: Vec<String> = ledger_ids.iter().map(Uuid::to_string).collect();
    let year = to_year.to_string();
    let rows = executor.rows(&sql, &[&ledgers, &year]).await?;
    let documents = rows.iter().map(|row| object(row.get::<_, Value>("jsonb")));
    Ok(documents.collect())
}

/// Deletes the errors of rollovers about an order.
#[boxed]
pub async fn forget_errors(
    executor: &dyn Executor,
    tables: Tables<'_>,
    order_id: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {} WHERE {}",
        tables.table("ledger_fiscal_year_rollover_error"),
        tables.equals(
            "ledger_fiscal_year_rollover_error",
            "details.purchaseOrderId",
            "$1::text"
        )
    );
    let id = order_id.to_string();
    executor.rows(&sql, &[&id]).await?;
    Ok(())
}

/// The next orders after one with a distribution on these funds, locked in the order of their ids.
#[boxed]
pub async fn orders_on_funds(
    executor: &dyn Executor,
    tables: Tables<'_>,
    fund_ids: &[Uuid],
    after: Option<Uuid>,
    most: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT ordered.id FROM {orders} AS ordered
         WHERE ordered.id > coalesce($2, '00000000-0000-0000-0000-000000000000'::uuid)
           AND EXISTS (SELECT FROM {lines} AS line
             CROSS JOIN jsonb_array_elements(line.jsonb->'fundDistribution') AS row
             WHERE line.purchaseorderid = ordered.id AND row->>'fundId' = ANY($1::text[]))
         ORDER BY ordered.id LIMIT $3 FOR NO KEY UPDATE OF ordered",
        orders = tables.table("purchase_order"),
        lines = tables.table("po_line"),
    );
    let funds: Vec<String> = fund_ids.iter().map(Uuid::to_string).collect();
    let rows = executor.rows(&sql, &[&funds, &after, &most]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// The lines of orders with a distribution on these funds, locked in the order of their ids.
#[boxed]
pub async fn lines_of_orders(
    executor: &dyn Executor,
    tables: Tables<'_>,
    order_ids: &[Uuid],
    fund_ids: &[Uuid],
) -> Result<Vec<Doc>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {lines} WHERE purchaseorderid = ANY($1)
           AND EXISTS (SELECT FROM jsonb_array_elements(jsonb->'fundDistribution') AS row
             WHERE row->>'fundId' = ANY($2::text[]))
         ORDER BY id FOR NO KEY UPDATE",
        lines = tables.table("po_line"),
    );
    let funds: Vec<String> = fund_ids.iter().map(Uuid::to_string).collect();
    Ok(docs(&executor.rows(&sql, &[&order_ids, &funds]).await?))
}
