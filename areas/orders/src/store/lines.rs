//! Lines by their order or id.

use octavo_boxed::boxed;
use octavo_records::expression::AMONG_IDS;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::{Tables, docs};
use crate::rules::doc::{Doc, text};
use crate::rules::numbers::place;

/// Whether rows are locked until the transaction ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    Yes,
    No,
}

impl Held {
    /// In the order of ids, so that two transactions cannot deadlock. NO KEY, so that new pieces and
    /// titles of a line do not wait.
    pub(super) fn sql(self) -> &'static str {
        match self {
            Held::Yes => " ORDER BY id FOR NO KEY UPDATE",
            Held::No => "",
        }
    }

    /// The same, where the order counts in any case.
    pub(super) fn sql_ordered(self) -> &'static str {
        match self {
            Held::Yes => " ORDER BY id FOR NO KEY UPDATE",
            Held::No => " ORDER BY id",
        }
    }
}

/// The lines of orders, each order's in the order of their numbers.
#[boxed]
pub async fn of_orders(
    executor: &dyn Executor,
    tables: Tables<'_>,
    order_ids: &[Uuid],
    held: Held,
) -> Result<Vec<Doc>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE purchaseorderid {AMONG_IDS}{}",
        tables.table("po_line"),
        held.sql()
    );
    let mut lines = docs(&executor.rows(&sql, &[&order_ids]).await?);
    lines.sort_by_cached_key(|line| {
        let number = text(line, "poLineNumber").unwrap_or_default();
        (
            text(line, "purchaseOrderId").map(str::to_owned),
            place(number),
        )
    });
    Ok(lines)
}

/// The number of an order's lines.
#[boxed]
pub async fn count_of_order(
    executor: &dyn Executor,
    tables: Tables<'_>,
    order_id: Uuid,
) -> Result<usize, StoreError> {
    let sql = format!(
        "SELECT count(*) FROM {} WHERE purchaseorderid = $1",
        tables.table("po_line")
    );
    let rows = executor.rows(&sql, &[&order_id]).await?;
    let count = rows.first().map_or(0, |row| row.get::<_, i64>("count"));
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

/// Lines by id, in the order of ids.
#[boxed]
pub async fn by_ids(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
    held: Held,
) -> Result<Vec<Doc>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id {AMONG_IDS}{}",
        tables.table("po_line"),
        held.sql()
    );
    Ok(docs(&executor.rows(&sql, &[&ids]).await?))
}

/// The order of a line, locked until the transaction ends.
#[boxed]
pub async fn hold_order_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    line_id: Uuid,
) -> Result<Option<Doc>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {orders} WHERE id = (SELECT purchaseorderid FROM {lines} WHERE id = $1)
         FOR NO KEY UPDATE",
        orders = tables.table("purchase_order"),
        lines = tables.table("po_line"),
    );
    Ok(docs(&executor.rows(&sql, &[&line_id]).await?).pop())
}

/// Records of a small list by id: alerts, reporting codes.
#[boxed]
pub async fn listed(
    executor: &dyn Executor,
    tables: Tables<'_>,
    table: &'static str,
    ids: &[Uuid],
) -> Result<Vec<Doc>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id {AMONG_IDS}",
        tables.table(table)
    );
    Ok(docs(&executor.rows(&sql, &[&ids]).await?))
}
