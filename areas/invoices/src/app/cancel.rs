//! Cancels an approved or paid invoice: its transactions are void, and what it released is encumbered again.

use octavo_boxed::boxed;
use octavo_finance::app::lookups::{Wanted, transactions};
use octavo_finance::app::transactions as batches;
use octavo_finance::records::{EncumbranceStatus, FundTransaction};
use octavo_finance::rules::batch::Batch;
use octavo_finance::store::accounts::Hold;
use octavo_records::OperationError;
use uuid::Uuid;

use super::keep::Work;
use super::links::{encumbrances, po_lines};
use super::order_lines::{self, OrderLineChange};
use super::terms::payers;
use super::voucher;
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::document::{self, Document};
use crate::rules::parts::{funds_of, wholes};
use crate::rules::status::{self, Status};
use crate::rules::totals;
use crate::store::invoices::{Stored, of_order_lines};
use crate::store::orders::OrderLine;

/// Cancels an invoice that is locked with its lines, and had this status. The caller stores both.
///
/// # Errors
/// 404 when a budget is not active any more; what finance refuses.
#[boxed]
pub async fn cancel(
    work: Work<'_>,
    id: Uuid,
    was: Status,
    invoice: &Document,
    lines: &[Stored],
) -> Result<(), Declined> {
    // Orders before money, as everywhere; what is encumbered again depends on their state before.
    let order_lines = order_lines::hold(work, lines).await?;
    let again = to_encumber(&order_lines, lines);
    if was == Status::Paid {
        let changes = changes(work, id, invoice, &order_lines).await?;
        order_lines::apply(work, &changes).await?;
    }
    let tables = work.context.tables();
    let wanted = Wanted::Invoices(&[id]);
    let made = transactions(work.transaction, tables, wanted, Hold::Yes).await?;
    let totals = totals::of_invoice(invoice, lines.iter().map(|(_, line)| line));
    let payers = payers(work, invoice, &funds_of(&wholes(invoice, lines, totals))).await?;
    let mut void: Vec<FundTransaction> =
        made.into_iter().filter(|one| !one.is_cancelled()).collect();
    for one in &mut void {
        one.invoice_cancelled = Some(true);
    }
    if !void.is_empty() {
        let refusal = Refusal::failed(Code::CancelFailure).with("invoiceId", id);
        apply(work, void, refusal).await?;
    }
    encumber_again(work, payers.year.id, &again).await?;
    voucher::set_status(work, id, "Cancelled").await?;
    Ok(())
}

/// The order lines that a line of the invoice released, and whose order goes on. Other invoices are not looked
/// at.
fn to_encumber(order_lines: &[OrderLine], lines: &[Stored]) -> Vec<Uuid> {
    let releasing = lines
        .iter()
        .filter(|(_, line)| document::flag(line, "releaseEncumbrance"));
    let released = po_lines(releasing);
    let goes_on = |one: &&OrderLine| {
        released.contains(&one.id)
            && one.workflow_status == "Open"
            && matches!(
                one.payment_status.as_str(),
                "Awaiting Payment"
                    | "Partially Paid"
                    | "Fully Paid"
                    | "Ongoing"
                    | "Payment Not Required"
            )
    };
    order_lines
        .iter()
        .filter(goes_on)
        .map(|one| one.id)
        .collect()
}

/// Unreleases the encumbrances of order lines.
async fn encumber_again(work: Work<'_>, year: Uuid, po_lines: &[Uuid]) -> Result<(), Declined> {
    let mut released: Vec<FundTransaction> = encumbrances(work, po_lines, year).await?;
    released.retain(|one| {
        let status = one.encumbrance.as_ref().map(|part| part.status);
        status == Some(EncumbranceStatus::Released)
    });
    for one in &mut released {
        if let Some(encumbrance) = &mut one.encumbrance {
            encumbrance.status = EncumbranceStatus::Unreleased;
        }
    }
    match released.is_empty() {
        true => Ok(()),
        false => apply(work, released, Refusal::failed(Code::UnreleaseFailure)).await,
    }
}

/// Changes transactions. Whatever finance refuses is the cause of this refusal.
async fn apply(
    work: Work<'_>,
    changed: Vec<FundTransaction>,
    refusal: Refusal,
) -> Result<(), Declined> {
    let batch = Batch::updating(changed);
    let done = batches::apply(*work.context, work.transaction, &batch).await;
    done.map_err(|declined| match declined {
        OperationError::Refused(cause) => refusal.with("cause", cause.message()).into(),
        OperationError::Store(error) => error.into(),
    })
}

async fn changes(
    work: Work<'_>,
    id: Uuid,
    invoice: &Document,
    order_lines: &[OrderLine],
) -> Result<Vec<OrderLineChange>, Declined> {
    let year = document::id(invoice, "fiscalYearId");
    let ids: Vec<Uuid> = order_lines.iter().map(|line| line.id).collect();
    let others = of_order_lines(work.transaction, work.context.tables(), &ids).await?;
    Ok(order_lines::changes(order_lines, |order_line| {
        let of_others: Vec<bool> = others
            .iter()
            .filter(|one| {
                one.po_line_id == order_line.id
                    && one.invoice_id != id
                    && one.invoice_status == Status::Paid.name()
                    && one.fiscal_year_id == year
            })
            .map(|one| one.releases)
            .collect();
        status::cancelled(&order_line.payment_status, &of_others)
    }))
}
