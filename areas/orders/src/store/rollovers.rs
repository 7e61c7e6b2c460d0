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

/// The lines that are looked through for one portion.
const LINES_OF_PORTION: i64 = 2_000;

/// Orders of a portion, and the order with which it ends.
#[derive(Debug, PartialEq, Eq)]
pub struct Portion {
    /// Those with a distribution on the funds, locked in the order of their ids.
    pub orders: Vec<Uuid>,
    pub upto: Uuid,
}

/// The next orders after one with a distribution on these funds; `None` when no order comes after it. Lines are
/// looked through in the order of their orders, each once in a rollover: to ask the index for all lines on the
/// funds in each portion would take as many times as long as there are portions.
#[boxed]
pub async fn next_orders(
    executor: &dyn Executor,
    tables: Tables<'_>,
    fund_ids: &[Uuid],
    after: Option<Uuid>,
    most: i64,
) -> Result<Option<Portion>, StoreError> {
    let sql = format!(
        "SELECT of_order, bool_or(is_on) AS is_on, count(*) AS lines FROM (
           SELECT purchaseorderid AS of_order,
             EXISTS (SELECT FROM jsonb_array_elements(jsonb->'{DISTRIBUTIONS}') AS row
               WHERE row->>'fundId' = ANY($1::text[])) AS is_on
           FROM {lines}
           WHERE purchaseorderid > coalesce($2, '00000000-0000-0000-0000-000000000000'::uuid)
           ORDER BY purchaseorderid LIMIT $3) AS part
         GROUP BY of_order ORDER BY of_order",
        lines = tables.table("po_line"),
    );
    let funds: Vec<String> = fund_ids.iter().map(Uuid::to_string).collect();
    let looked_through = LINES_OF_PORTION;
    let rows = executor
        .rows(&sql, &[&funds, &after, &looked_through])
        .await?;
    let found: Vec<Looked> = rows
        .iter()
        .map(|row| Looked {
            order: row.get("of_order"),
            is_on: row.get("is_on"),
            lines: row.get("lines"),
        })
        .collect();
    let Some(Portion { orders, upto }) = portion(&found, LINES_OF_PORTION, most) else {
        return Ok(None);
    };
    let orders = match orders.is_empty() {
        true => orders,
        false => hold_orders(executor, tables, &orders).await?,
    };
    Ok(Some(Portion { orders, upto }))
}

/// An order among those that were looked through, and how many lines of it.
#[derive(Debug, Clone, Copy)]
struct Looked {
    order: Uuid,
    is_on: bool,
    lines: i64,
}

/// What of the orders that were looked through makes a portion. When there may be more lines, those of the last
/// order may not all be there: it is looked at again, unless it is the only one.
fn portion(found: &[Looked], looked_through: i64, most: i64) -> Option<Portion> {
    let lines: i64 = found.iter().map(|one| one.lines).sum();
    let whole = match found {
        [rest @ .., _] if lines >= looked_through && !rest.is_empty() => rest,
        all => all,
    };
    let mut portion = Portion {
        orders: Vec::new(),
        upto: whole.first()?.order,
    };
    for one in whole {
        if i64::try_from(portion.orders.len()).is_ok_and(|taken| taken >= most) {
            break;
        }
        portion.upto = one.order;
        if one.is_on {
            portion.orders.push(one.order);
        }
    }
    Some(portion)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_portion_ends_where_an_order_may_go_on() {
        let looked = |order: u128, is_on, lines| Looked {
            order: Uuid::from_u128(order),
            is_on,
            lines,
        };
        let shown = |found: &[Looked], most| {
            portion(found, 10, most).map(|one| {
                let orders: Vec<u128> = one.orders.iter().map(Uuid::as_u128).collect();
                (orders, one.upto.as_u128())
            })
        };
        let few = [looked(1, true, 2), looked(2, false, 1), looked(3, true, 3)];
        assert_eq!(shown(&few, 5), Some((vec![1, 3], 3)));
        assert_eq!(shown(&few, 1), Some((vec![1], 1)));
        let full = [looked(1, false, 6), looked(2, true, 4)];
        assert_eq!(shown(&full, 5), Some((vec![], 1)));
        assert_eq!(shown(&[looked(7, true, 10)], 5), Some((vec![7], 7)));
        assert_eq!(shown(&[], 5), None);
    }
}
