//! Invoices and their lines.

use octavo_boxed::boxed;
use octavo_records::expression::AMONG_TEXTS;
use octavo_records::expression::key;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Tables;

/// A stored record with its id.
pub type Stored = (Uuid, Map<String, Value>);

fn stored(rows: &[octavo_postgres::Row]) -> Vec<Stored> {
    let read = |row: &octavo_postgres::Row| match row.get::<_, Value>("jsonb") {
        Value::Object(document) => Some((row.get("id"), document)),
        _ => None,
    };
    rows.iter().filter_map(read).collect()
}

/// The lines of an invoice, locked in the order of their ids.
#[boxed]
pub async fn hold_lines(
    executor: &dyn Executor,
    tables: Tables<'_>,
    invoice: Uuid,
) -> Result<Vec<Stored>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE invoiceid = $1 ORDER BY id FOR NO KEY UPDATE",
        tables.table("invoice_lines")
    );
    Ok(stored(&executor.rows(&sql, &[&invoice]).await?))
}

/// The lines of an invoice.
#[boxed]
pub async fn lines(
    executor: &dyn Executor,
    tables: Tables<'_>,
    invoice: Uuid,
) -> Result<Vec<Stored>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE invoiceid = $1 ORDER BY id",
        tables.table("invoice_lines")
    );
    Ok(stored(&executor.rows(&sql, &[&invoice]).await?))
}

/// The invoice of a line.
#[boxed]
pub async fn invoice_of_line(
    executor: &dyn Executor,
    tables: Tables<'_>,
    line: Uuid,
) -> Result<Option<Uuid>, StoreError> {
    let sql = format!(
        "SELECT invoiceid FROM {} WHERE id = $1",
        tables.table("invoice_lines")
    );
    let rows = executor.rows(&sql, &[&line]).await?;
    Ok(rows.first().and_then(|row| row.get("invoiceid")))
}

/// Deletes the lines and documents of an invoice, which is locked.
#[boxed]
pub async fn delete_parts(
    executor: &dyn Executor,
    tables: Tables<'_>,
    invoice: Uuid,
) -> Result<(), StoreError> {
    for table in ["invoice_lines", "documents"] {
        let sql = format!("DELETE FROM {} WHERE invoiceid = $1", tables.table(table));
        executor.rows(&sql, &[&invoice]).await?;
    }
    Ok(())
}

/// A line on an order line, with what its invoice says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineOfOrder {
    pub invoice_id: Uuid,
    pub po_line_id: Uuid,
    pub invoice_status: String,
    pub fiscal_year_id: Option<Uuid>,
    pub releases: bool,
}

/// The lines of all invoices on order lines.
#[boxed]
pub async fn of_order_lines(
    executor: &dyn Executor,
    tables: Tables<'_>,
    po_lines: &[Uuid],
) -> Result<Vec<LineOfOrder>, StoreError> {
    let ids: Vec<String> = po_lines.iter().map(Uuid::to_string).collect();
    let sql = format!(
        "SELECT line.invoiceid, (line.jsonb->>'poLineId')::uuid AS po_line, \
         invoice.jsonb->>'status' AS status, (invoice.jsonb->>'fiscalYearId')::uuid AS year, \
         coalesce((line.jsonb->>'releaseEncumbrance')::boolean, false) AS releases \
         FROM (SELECT invoiceid, jsonb FROM {} WHERE {} {AMONG_TEXTS}) AS line \
         JOIN {} AS invoice ON invoice.id = line.invoiceid ORDER BY line.invoiceid",
        tables.table("invoice_lines"),
        key(tables.index("invoice_lines", "poLineId")),
        tables.table("invoices"),
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    let line = |row: &octavo_postgres::Row| LineOfOrder {
        invoice_id: row.get("invoiceid"),
        po_line_id: row.get("po_line"),
        invoice_status: row.get("status"),
        fiscal_year_id: row.get("year"),
        releases: row.get("releases"),
    };
    Ok(rows.iter().map(line).collect())
}
