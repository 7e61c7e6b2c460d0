//! Rollovers of ledgers, and the lines whose funds they concern.

use octavo_boxed::boxed;
use octavo_records::expression::{Base, phrase, words_in};
use octavo_records::{Executor, IndexKind, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::{Tables, docs};
use crate::rules::doc::{Doc, object};

/// The property of lines that names their funds.
const DISTRIBUTIONS: &str = "fundDistribution";

/// The condition on lines that one of the funds in `$1` is among their distributions: the index finds the
/// candidates, the documents decide.
fn on_funds(tables: Tables<'_>) -> String {
    let lines = tables.catalog.get("po_line");
    let index = lines.and_then(|lines| {
        let mut indexes = lines.indexes.iter();
        indexes.find(|one| one.field == DISTRIBUTIONS && one.kind == IndexKind::FullTextIndex)
    });
    let decides = format!(
        "EXISTS (SELECT FROM jsonb_array_elements(jsonb->'{DISTRIBUTIONS}') AS row
           WHERE row->>'fundId' = ANY($1::text[]))"
    );
    match index {
        None => decides,
        Some(index) => format!(
            "{words} @@ ANY(ARRAY(SELECT {phrase} FROM unnest($1::text[]) AS fund)) AND {decides}",
            words = words_in(Base::Record, index),
            phrase = phrase(index, "fund"),
        ),
    }
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
           ON progress.ledgerrolloverid = rollover.id
         WHERE rollover.ledgerid = ANY($1) AND rollover.tofiscalyearid = $2
           AND coalesce(rollover.jsonb->>'rolloverType', 'Commit') = 'Commit'
           AND progress.jsonb->>'overallRolloverStatus' IN ('Success', 'Error')",
        rollovers = tables.table("ledger_fiscal_year_rollover"),
        progress = tables.table("ledger_fiscal_year_rollover_progress"),
    );
    let rows = executor.rows(&sql, &[&ledger_ids, &to_year]).await?;
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

/// All orders with a distribution on these funds, locked in the order of their ids.
#[boxed]
pub async fn orders_on_funds(
    executor: &dyn Executor,
    tables: Tables<'_>,
    fund_ids: &[Uuid],
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {orders} WHERE id = ANY(ARRAY(
           SELECT DISTINCT purchaseorderid FROM {lines} WHERE {on_funds}))
         ORDER BY id FOR NO KEY UPDATE",
        orders = tables.table("purchase_order"),
        lines = tables.table("po_line"),
        on_funds = on_funds(tables),
    );
    let funds: Vec<String> = fund_ids.iter().map(Uuid::to_string).collect();
    let rows = executor.rows(&sql, &[&funds]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// The orders that are looked through for one portion.
const LOOKED_THROUGH: i64 = 2_000;

/// Orders of a portion, and the order with which it ends.
#[derive(Debug, PartialEq, Eq)]
pub struct Portion {
    /// Those with a distribution on the funds, locked in the order of their ids.
    pub orders: Vec<Uuid>,
    pub upto: Uuid,
}

/// The next orders after one with a distribution on these funds; `None` when no order comes after it. Orders are
/// looked through one after the other, until there are enough: to ask the index for all lines on the funds in each
/// portion would take as many times as long as there are portions.
#[boxed]
pub async fn next_orders(
    executor: &dyn Executor,
    tables: Tables<'_>,
    fund_ids: &[Uuid],
    after: Option<Uuid>,
    most: i64,
) -> Result<Option<Portion>, StoreError> {
    let next = format!(
        "SELECT id FROM {} WHERE id > coalesce($1, '{}'::uuid) ORDER BY id LIMIT $2",
        tables.table("purchase_order"),
        Uuid::nil(),
    );
    let sql = format!(
        "SELECT next.id FROM ({next}) AS next, LATERAL (
           SELECT EXISTS (SELECT FROM {lines}, jsonb_array_elements(jsonb->'{DISTRIBUTIONS}') AS row
             WHERE purchaseorderid = next.id AND row->>'fundId' = ANY($3::text[])) AS is_on OFFSET 0) AS looked
         WHERE is_on LIMIT $4",
        lines = tables.table("po_line"),
    );
    let funds: Vec<String> = fund_ids.iter().map(Uuid::to_string).collect();
    let values: [&(dyn octavo_postgres::ToSql + Sync); 4] =
        [&after, &LOOKED_THROUGH, &funds, &most];
    let rows = executor.rows(&sql, &values).await?;
    let orders: Vec<Uuid> = rows.iter().map(|row| row.get("id")).collect();
    let is_full = i64::try_from(orders.len()).is_ok_and(|found| found >= most);
    let upto = match orders.last() {
        Some(last) if is_full => Some(*last),
        _ => {
            let sql = format!("SELECT id FROM ({next}) AS next ORDER BY id DESC LIMIT 1");
            let rows = executor.rows(&sql, &[&after, &LOOKED_THROUGH]).await?;
            rows.first().map(|row| row.get("id"))
        }
    };
    let Some(upto) = upto else { return Ok(None) };
    let orders = match orders.is_empty() {
        true => orders,
        false => hold_orders(executor, tables, &orders).await?,
    };
    Ok(Some(Portion { orders, upto }))
}

async fn hold_orders(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
        tables.table("purchase_order")
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
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
           AND EXISTS (SELECT FROM jsonb_array_elements(jsonb->'{DISTRIBUTIONS}') AS row
             WHERE row->>'fundId' = ANY($2::text[]))
         ORDER BY id FOR NO KEY UPDATE",
        lines = tables.table("po_line"),
    );
    let funds: Vec<String> = fund_ids.iter().map(Uuid::to_string).collect();
    Ok(docs(&executor.rows(&sql, &[&order_ids, &funds]).await?))
}
