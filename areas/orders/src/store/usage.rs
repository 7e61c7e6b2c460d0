//! What orders use: prefixes, suffixes, acquisition methods, and invoices that are about orders.

use octavo_boxed::boxed;
use octavo_records::expression::AMONG_TEXTS;
use octavo_records::expression::{Base, phrase, words_in};
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::{Tables, docs};
use crate::rules::doc::{Doc, object};

/// Whether an order has this text in a property.
#[boxed]
pub async fn orders_have(
    executor: &dyn Executor,
    tables: Tables<'_>,
    property: &'static str,
    name: &str,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT true FROM {} WHERE {} LIMIT 1",
        tables.table("purchase_order"),
        tables.equals("purchase_order", property, "$1::text")
    );
    Ok(!executor.rows(&sql, &[&name]).await?.is_empty())
}

/// Whether a line has an acquisition method.
#[boxed]
pub async fn lines_have_method(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT true FROM {} WHERE {} LIMIT 1",
        tables.table("po_line"),
        tables.equals("po_line", "acquisitionMethod", "$1::text")
    );
    let id = id.to_string();
    Ok(!executor.rows(&sql, &[&id]).await?.is_empty())
}

/// Whether there is a prefix or suffix of this name.
#[boxed]
pub async fn is_listed(
    executor: &dyn Executor,
    tables: Tables<'_>,
    table: &'static str,
    name: &str,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT true FROM {} WHERE {}",
        tables.table(table),
        tables.equals(table, "name", "$1::text")
    );
    Ok(!executor.rows(&sql, &[&name]).await?.is_empty())
}

/// The order with a number, apart from one.
#[boxed]
pub async fn is_number_taken(
    executor: &dyn Executor,
    tables: Tables<'_>,
    number: &str,
    apart_from: Option<Uuid>,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT true FROM {} WHERE {} AND id IS DISTINCT FROM $2 LIMIT 1",
        tables.table("purchase_order"),
        tables.equals("purchase_order", "poNumber", "$1::text")
    );
    let rows = executor.rows(&sql, &[&number, &apart_from]).await?;
    Ok(!rows.is_empty())
}

/// The invoices that are about an order.
#[boxed]
pub async fn invoices_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    order_id: Uuid,
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT (jsonb->>'invoiceId')::uuid AS id FROM {} WHERE purchaseorderid = $1",
        tables.table("order_invoice_relationship")
    );
    let rows = executor.rows(&sql, &[&order_id]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// Deletes what ties an order to invoices.
#[boxed]
pub async fn untie_invoices(
    executor: &dyn Executor,
    tables: Tables<'_>,
    order_id: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {} WHERE purchaseorderid = $1",
        tables.table("order_invoice_relationship")
    );
    executor.rows(&sql, &[&order_id]).await?;
    Ok(())
}

/// The number of routing lists of a line, apart from one.
#[boxed]
pub async fn routing_lists_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    line_id: Uuid,
    apart_from: Option<Uuid>,
) -> Result<i64, StoreError> {
    let sql = format!(
        "SELECT count(*) AS lists FROM {} WHERE polineid = $1 AND id IS DISTINCT FROM $2",
        tables.table("routing_list")
    );
    let rows = executor.rows(&sql, &[&line_id, &apart_from]).await?;
    Ok(rows.first().map_or(0, |row| row.get("lists")))
}

/// What ties an invoice to orders: the tie and the order.
#[boxed]
pub async fn ties_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    invoice_id: Uuid,
) -> Result<Vec<(Uuid, Uuid)>, StoreError> {
    let sql = format!(
        "SELECT id, purchaseorderid FROM {} WHERE {} ORDER BY id",
        tables.table("order_invoice_relationship"),
        tables.equals("order_invoice_relationship", "invoiceId", "$1::text")
    );
    let id = invoice_id.to_string();
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("purchaseorderid")))
        .collect())
}

/// Whether a rollover left errors about an order.
#[boxed]
pub async fn has_rollover_errors(
    executor: &dyn Executor,
    tables: Tables<'_>,
    order_id: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT true FROM {} WHERE {} LIMIT 1",
        tables.table("ledger_fiscal_year_rollover_error"),
        tables.equals(
            "ledger_fiscal_year_rollover_error",
            "details.purchaseOrderId",
            "$1::text"
        )
    );
    let id = order_id.to_string();
    Ok(!executor.rows(&sql, &[&id]).await?.is_empty())
}

/// The lines that have one of these holdings among their locations, locked in the order of their ids.
#[boxed]
pub async fn lines_on_holdings(
    executor: &dyn Executor,
    tables: Tables<'_>,
    holdings_ids: &[Uuid],
) -> Result<Vec<Doc>, StoreError> {
    if holdings_ids.is_empty() {
        return Ok(Vec::new());
    }
    let index = tables.index("po_line", "locations");
    let (words, wanted) = (words_in(Base::Record, index), phrase(index, "wanted.id"));
    let sql = format!(
        "SELECT jsonb FROM {line} WHERE id = ANY (ARRAY(
           SELECT found.id FROM unnest($1::text[]) AS wanted(id)
           CROSS JOIN LATERAL (SELECT id FROM {line} WHERE {words} @@ {wanted}
             AND jsonb->'locations' @> jsonb_build_array(jsonb_build_object('holdingId', wanted.id)))
             AS found))
         ORDER BY id FOR NO KEY UPDATE",
        line = tables.table("po_line"),
    );
    let ids: Vec<String> = holdings_ids.iter().map(Uuid::to_string).collect();
    Ok(docs(&executor.rows(&sql, &[&ids]).await?))
}

/// Locks the lines that have pieces of these items, in the order of their ids.
#[boxed]
pub async fn hold_lines_of_items(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item_ids: &[Uuid],
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT id FROM {line} WHERE id = ANY (ARRAY(
           SELECT polineid FROM {pieces} WHERE {of_item} {AMONG_TEXTS}))
         ORDER BY id FOR NO KEY UPDATE",
        line = tables.table("po_line"),
        pieces = tables.table("pieces"),
        of_item = octavo_records::expression::key(tables.index("pieces", "itemId")),
    );
    let ids: Vec<String> = item_ids.iter().map(Uuid::to_string).collect();
    executor.rows(&sql, &[&ids]).await?;
    Ok(())
}

/// The lines with holdings among their locations or pieces, each with its order.
#[boxed]
pub async fn ordered_holdings(
    executor: &dyn Executor,
    tables: Tables<'_>,
    holdings_id: Uuid,
) -> Result<Vec<(Doc, Doc)>, StoreError> {
    let id = holdings_id.to_string();
    let index = tables.index("po_line", "locations");
    let (words, wanted) = (words_in(Base::Record, index), phrase(index, "$1::text"));
    let sql = format!(
        "SELECT line.jsonb AS line, ordered.jsonb AS ordered
         FROM (SELECT id FROM {line} WHERE {words} @@ {wanted}
                 AND jsonb->'locations' @> jsonb_build_array(jsonb_build_object('holdingId', $1::text))
               UNION SELECT polineid FROM {pieces} WHERE {of_holdings}) AS found
         JOIN {line} AS line ON line.id = found.id
         JOIN {ordered} AS ordered ON ordered.id = line.purchaseorderid ORDER BY line.id",
        line = tables.table("po_line"),
        pieces = tables.table("pieces"),
        ordered = tables.table("purchase_order"),
        of_holdings = tables.equals("pieces", "holdingId", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows
        .iter()
        .map(|row| (object(row.get("line")), object(row.get("ordered"))))
        .collect())
}
