//! What invoices read of orders.

use octavo_boxed::boxed;
use octavo_postgres::Row;
use octavo_records::expression::AMONG_IDS;
use octavo_records::expression::{Base, phrase, words_in};
use octavo_records::{Executor, IndexKind, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;
use crate::rules::edifact::OrderedLine;

/// An order line with what invoices ask of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderLine {
    pub id: Uuid,
    pub order_id: Uuid,
    pub po_number: String,
    pub workflow_status: String,
    pub payment_status: String,
}

/// The existing ones of these order lines.
#[boxed]
pub async fn order_lines(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<Vec<OrderLine>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT line.id, line.purchaseorderid, purchase.jsonb->>'poNumber' AS number, \
         purchase.jsonb->>'workflowStatus' AS workflow, line.jsonb->>'paymentStatus' AS payment \
         FROM {} AS line JOIN {} AS purchase ON purchase.id = line.purchaseorderid \
         WHERE line.id {AMONG_IDS} ORDER BY line.id",
        tables.table("po_line"),
        tables.table("purchase_order")
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    let text = |row: &octavo_postgres::Row, name: &str| {
        row.get::<_, Option<String>>(name).unwrap_or_default()
    };
    let line = |row: &octavo_postgres::Row| OrderLine {
        id: row.get("id"),
        order_id: row.get("purchaseorderid"),
        po_number: text(row, "number"),
        workflow_status: text(row, "workflow"),
        payment_status: text(row, "payment"),
    };
    Ok(rows.iter().map(line).collect())
}

/// What an import takes of order lines, of open orders only.
const OPEN: &str = "purchase.jsonb->>'workflowStatus' = 'Open'";

/// The lines of open orders with these numbers, each with its number.
#[boxed]
pub async fn open_by_numbers(
    executor: &dyn Executor,
    tables: Tables<'_>,
    numbers: &[&str],
) -> Result<Vec<(String, OrderedLine)>, StoreError> {
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let index = tables.index("po_line", "poLineNumber");
    let sql = format!(
        "SELECT line.jsonb FROM {lines} AS line JOIN {orders} AS purchase \
         ON purchase.id = line.purchaseorderid WHERE {OPEN} AND line.id = ANY (ARRAY(\
           SELECT found.id FROM unnest($1::text[]) AS wanted(number) \
           CROSS JOIN LATERAL (SELECT id FROM {lines} WHERE {key} = {wanted}) AS found)) \
         ORDER BY line.id",
        lines = tables.table("po_line"),
        orders = tables.table("purchase_order"),
        key = octavo_records::expression::key(index),
        wanted = octavo_records::expression::fold(index, "wanted.number"),
    );
    let rows = executor.rows(&sql, &[&numbers]).await?;
    Ok(rows.iter().filter_map(ordered).collect())
}

/// The lines of open orders that have one of these reference numbers of their vendor; two at most, since one is
/// wanted.
#[boxed]
pub async fn open_by_references(
    executor: &dyn Executor,
    tables: Tables<'_>,
    references: &[String],
) -> Result<Vec<OrderedLine>, StoreError> {
    let field = "vendorDetail.referenceNumbers";
    let mut indexes = tables.catalog.declared("po_line").indexes.iter();
    let words = indexes.find(|one| one.field == field && one.kind == IndexKind::FullTextIndex);
    let words = words.ok_or_else(|| StoreError::fault("reference numbers have no index"))?;
    let sql = format!(
        "SELECT line.jsonb FROM {lines} AS line JOIN {orders} AS purchase \
         ON purchase.id = line.purchaseorderid WHERE {OPEN} AND line.id = ANY (ARRAY(\
           SELECT found.id FROM unnest($1::text[]) AS wanted(number) \
           CROSS JOIN LATERAL (SELECT id FROM {lines} WHERE {text} @@ {wanted} \
             AND jsonb->'vendorDetail'->'referenceNumbers' \
               @> jsonb_build_array(jsonb_build_object('refNumber', wanted.number))) AS found)) \
         ORDER BY line.id LIMIT 2",
        lines = tables.table("po_line"),
        orders = tables.table("purchase_order"),
        text = words_in(Base::Record, words),
        wanted = phrase(words, "wanted.number"),
    );
    let rows = executor.rows(&sql, &[&references]).await?;
    let lines = rows.iter().filter_map(ordered);
    Ok(lines.map(|(_, line)| line).collect())
}

fn ordered(row: &Row) -> Option<(String, OrderedLine)> {
    let line: Value = row.get("jsonb");
    let text = |name: &str| Some(line.get(name)?.as_str()?.to_owned());
    let rows = line.get("fundDistribution").and_then(Value::as_array);
    Some((
        text("poLineNumber")?,
        OrderedLine {
            id: text("id")?,
            title: text("titleOrPackage").unwrap_or_default(),
            distributions: rows.cloned().unwrap_or_default(),
        },
    ))
}
