//! Pays an approved invoice: payments and credits take the place of its pending payments.

use octavo_boxed::boxed;
use octavo_finance::app::lookups::{Wanted, transactions};
use octavo_finance::records::{FundTransaction, Kind};
use octavo_finance::rules::batch::Batch;
use octavo_finance::store::accounts::Hold;
use serde_json::json;
use uuid::Uuid;

use super::approve::apply;
use super::keep::Work;
use super::order_lines::{self, OrderLineChange};
use super::terms::{payers, rate};
use super::voucher;
use crate::refusal::{Code, Declined};
use crate::rules::document::{self, Document};
use crate::rules::parts::{funds_of, payments, wholes};
use crate::rules::{status, totals};
use crate::store::invoices::Stored;
use crate::store::orders::OrderLine;

/// Pays an invoice that is locked with its lines. The caller stores both.
///
/// # Errors
/// 404 when a budget is not active any more; what finance refuses.
#[boxed]
pub async fn pay(
    work: Work<'_>,
    id: Uuid,
    invoice: &mut Document,
    lines: &[Stored],
) -> Result<(), Declined> {
    // Orders before money, as everywhere.
    let order_lines = order_lines::hold(work, lines).await?;
    order_lines::apply(work, &changes(&order_lines, lines)).await?;
    let totals = totals::of_invoice(invoice, lines.iter().map(|(_, line)| line));
    let parts = wholes(invoice, lines, totals);
    let made = transactions(
        work.transaction,
        work.context.tables(),
        Wanted::Invoices(&[id]),
        Hold::Yes,
    )
    .await?;
    let is_paid = |one: &FundTransaction| matches!(one.kind, Kind::Payment | Kind::Credit);
    let payers = payers(work, invoice, &funds_of(&parts)).await?;
    // Payments that exist, voided ones too, are not made again.
    if !made.iter().any(is_paid) {
        let rate = rate(work, invoice, &payers.year.currency).await?;
        let batch = Batch::creating(payments(&parts, payers.terms(id, rate)));
        if !batch.is_empty() {
            apply(work, &batch, Code::PaymentFailure).await?;
        }
    }
    voucher::set_status(work, id, "Paid").await?;
    invoice.insert("paymentDate".to_owned(), json!(work.context.now()));
    Ok(())
}

fn changes(order_lines: &[OrderLine], lines: &[Stored]) -> Vec<OrderLineChange> {
    order_lines::changes(order_lines, |order_line| {
        let releases = lines.iter().any(|(_, line)| {
            document::id(line, "poLineId") == Some(order_line.id)
                && document::flag(line, "releaseEncumbrance")
        });
        status::paid(&order_line.payment_status, releases)
    })
}
