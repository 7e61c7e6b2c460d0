//! A new invoice.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_records::{Context, new_id};
use serde_json::{Value, json};
use uuid::Uuid;

use super::change_invoice::{check_sent, write_totals};
use super::guard::{Rights, allow_new};
use super::keep::{Work, add_invoice};
use super::stored_invoices::NEXT_LINE;
use super::{checked_invoice, fiscal_year};
use crate::refusal::Declined;
use crate::rules::adjustment::identify;
use crate::store::numbers::{self, Sequence};

/// Stores an invoice under the next number.
///
/// # Errors
/// The first of FOLIO's refusals.
#[boxed]
pub async fn create_invoice(
    context: &Context<'_>,
    rights: Rights,
    sent: Value,
) -> Result<(Uuid, Bytes), Declined> {
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let made = create_within(work, rights, sent).await?;
    transaction.commit().await?;
    Ok(made)
}

/// The same inside a transaction.
///
/// # Errors
/// As [`create_invoice`].
#[boxed]
pub async fn create_within(
    work: Work<'_>,
    rights: Rights,
    sent: Value,
) -> Result<(Uuid, Bytes), Declined> {
    let (transaction, context) = (work.transaction, work.context);
    let mut invoice = checked_invoice(context, sent)?;
    check_sent(&invoice)?;
    allow_new(context, transaction, rights, &invoice).await?;
    identify(&mut invoice, new_id);
    fiscal_year::fill_from_adjustments(work, &mut invoice).await?;
    let next = numbers::next(transaction, context.tables(), Sequence::Invoices).await?;
    invoice.insert("folioInvoiceNo".to_owned(), json!(next.to_string()));
    invoice.insert(NEXT_LINE.to_owned(), json!(1));
    write_totals(&mut invoice, &mut []);
    Ok(add_invoice(work, invoice).await?)
}
