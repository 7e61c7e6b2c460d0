//! What invoices say about order lines. Their tables belong to a later area: statements read them, and take
//! away links to encumbrances that are gone.

use octavo_boxed::boxed;
use octavo_records::expression::AMONG_TEXTS;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;
use crate::rules::invoiced::{Invoiced, InvoicedLine};

/// The lines of invoices about order lines.
#[boxed]
pub async fn about_lines(
    executor: &dyn Executor,
    tables: Tables<'_>,
    line_ids: &[Uuid],
) -> Result<Invoiced, StoreError> {
    let mut invoiced = Invoiced::default();
    if line_ids.is_empty() {
        return Ok(invoiced);
    }
    let sql = format!(
        "SELECT line.jsonb->>'poLineId' AS of_line, line.jsonb->>'invoiceLineStatus' AS status,
           coalesce((line.jsonb->>'releaseEncumbrance')::boolean, false) AS releases,
           (line.jsonb->>'total')::numeric::text AS total,
           invoice.id AS invoice_id, invoice.jsonb->>'status' AS invoice_status,
           invoice.jsonb->>'fiscalYearId' AS year, invoice.jsonb->>'currency' AS currency,
           (invoice.jsonb->>'exchangeRate')::numeric::text AS rate
         FROM {lines} AS line JOIN {invoices} AS invoice ON invoice.id = line.invoiceid
         WHERE {of_lines} {AMONG_TEXTS} ORDER BY line.id",
        lines = tables.table("invoice_lines"),
        invoices = tables.table("invoices"),
        of_lines = octavo_records::expression::key(tables.index("invoice_lines", "poLineId"))
            .replace("jsonb", "line.jsonb"),
    );
    let ids: Vec<String> = line_ids.iter().map(Uuid::to_string).collect();
    for row in executor.rows(&sql, &[&ids]).await? {
        let text = |name: &str| row.get::<_, Option<String>>(name);
        let id = |name: &str| text(name).and_then(|id| Uuid::try_parse(&id).ok());
        let number = |name: &str| text(name).and_then(|number| number.parse().ok());
        let Some(of_line) = id("of_line") else {
            continue;
        };
        invoiced.lines.push(InvoicedLine {
            of_line,
            status: text("status").unwrap_or_default(),
            releases: row.get("releases"),
            total: number("total").unwrap_or_default(),
            invoice_id: row.get("invoice_id"),
            invoice_status: text("invoice_status").unwrap_or_default(),
            fiscal_year_id: id("year"),
            currency: text("currency").unwrap_or_default(),
            rate: number("rate"),
        });
    }
    Ok(invoiced)
}

/// Takes links to encumbrances out of the distributions of invoice lines.
#[boxed]
pub async fn unlink_encumbrances(
    executor: &dyn Executor,
    tables: Tables<'_>,
    line_ids: &[Uuid],
    encumbrance_ids: &[Uuid],
) -> Result<(), StoreError> {
    if encumbrance_ids.is_empty() {
        return Ok(());
    }
    let of_lines = octavo_records::expression::key(tables.index("invoice_lines", "poLineId"));
    let sql = format!(
        "UPDATE {} SET jsonb = jsonb || jsonb_build_object('fundDistributions',
           (SELECT jsonb_agg(CASE WHEN row->>'encumbrance' = ANY($2::text[])
              THEN row - 'encumbrance' ELSE row END ORDER BY at)
            FROM jsonb_array_elements(jsonb->'fundDistributions') WITH ORDINALITY AS _(row, at)))
         WHERE {of_lines} {AMONG_TEXTS}
           AND jsonb_path_exists(jsonb, '$.fundDistributions[*].encumbrance ? (@ == $gone[*])',
             jsonb_build_object('gone', to_jsonb($2::text[])))",
        tables.table("invoice_lines")
    );
    let texts = |ids: &[Uuid]| ids.iter().map(Uuid::to_string).collect::<Vec<String>>();
    let (lines, gone) = (texts(line_ids), texts(encumbrance_ids));
    executor.rows(&sql, &[&lines, &gone]).await?;
    Ok(())
}
