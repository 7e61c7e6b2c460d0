//! The numbers of invoices, lines and vouchers.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;

/// A sequence of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sequence {
    Invoices,
    Vouchers,
}

impl Sequence {
    fn name(self) -> &'static str {
        match self {
            Sequence::Invoices => "invoice_number",
            Sequence::Vouchers => "voucher_number",
        }
    }
}

/// The next number.
#[boxed]
pub async fn next(
    executor: &dyn Executor,
    tables: Tables<'_>,
    sequence: Sequence,
) -> Result<i64, StoreError> {
    let name = tables.table(sequence.name());
    let sql = "SELECT nextval($1::text::regclass) AS number";
    let rows = executor.rows(sql, &[&name]).await?;
    let row = rows.first();
    row.map(|row| row.get("number"))
        .ok_or_else(|| StoreError::fault("a sequence gave no number"))
}

/// The number that a sequence began with, or was set to.
#[boxed]
pub async fn start(
    executor: &dyn Executor,
    tables: Tables<'_>,
    sequence: Sequence,
) -> Result<i64, StoreError> {
    let sql = "SELECT seqstart AS start FROM pg_sequence WHERE seqrelid = $1::text::regclass";
    let name = tables.table(sequence.name());
    let rows = executor.rows(sql, &[&name]).await?;
    Ok(rows.first().map_or(0, |row| row.get("start")))
}

/// Lets a sequence go on from a number.
#[boxed]
pub async fn restart(
    executor: &dyn Executor,
    tables: Tables<'_>,
    sequence: Sequence,
    number: i64,
) -> Result<(), StoreError> {
    // A number, not a text of the client: a statement of definition takes no bound values.
    let sql = format!(
        "ALTER SEQUENCE {} START WITH {number} RESTART WITH {number}",
        tables.table(sequence.name())
    );
    executor.rows(&sql, &[]).await?;
    Ok(())
}

/// Takes the next number of an invoice's lines; `None` when there is no such invoice. The invoice is locked
/// until the transaction ends.
#[boxed]
pub async fn next_line(
    executor: &dyn Executor,
    tables: Tables<'_>,
    invoice: Uuid,
) -> Result<Option<i64>, StoreError> {
    let sql = format!(
        "UPDATE {} SET jsonb = jsonb || jsonb_build_object('nextInvoiceLineNumber', \
         coalesce((jsonb->>'nextInvoiceLineNumber')::bigint, 1) + 1) WHERE id = $1 \
         RETURNING (jsonb->>'nextInvoiceLineNumber')::bigint - 1 AS number",
        tables.table("invoices")
    );
    let rows = executor.rows(&sql, &[&invoice]).await?;
    Ok(rows.first().map(|row| row.get("number")))
}
