//! A new exchange rate of an approved invoice: its pending payments and its voucher are written anew.

use octavo_boxed::boxed;
use octavo_finance::app::lookups::{Wanted, transactions};
use octavo_finance::records::{FundTransaction, Kind};
use octavo_finance::rules::batch::Batch;
use octavo_finance::store::accounts::Hold;
use octavo_organizations::app::look_up::organization;
use serde_json::Value;
use uuid::Uuid;

use super::approve::apply;
use super::keep::Work;
use super::terms::payers;
use super::voucher;
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::amount::json as number;
use crate::rules::document::{self, Document};
use crate::rules::parts::{funds_of, is_for_the_same, pending_payments, wholes};
use crate::rules::totals;
use crate::store::invoices::Stored;

const RATE: &str = "exchangeRate";

/// Follows a rate that differs from the stored one; without one in the body the stored one stays.
///
/// # Errors
/// 404 when a budget is not active any more; what finance refuses.
#[boxed]
pub async fn rerate(
    work: Work<'_>,
    id: Uuid,
    held: &Document,
    invoice: &mut Document,
    lines: &[Stored],
) -> Result<(), Declined> {
    let (had, given) = (document::given(held, RATE), document::given(invoice, RATE));
    let Some(rate) = given.filter(|rate| had != Some(*rate)) else {
        document::set(invoice, RATE, held.get(RATE).cloned());
        return Ok(());
    };
    let totals = totals::of_invoice(invoice, lines.iter().map(|(_, line)| line));
    let parts = wholes(invoice, lines, totals);
    let tables = work.context.tables();
    let wanted = Wanted::Invoices(&[id]);
    let stored = transactions(work.transaction, tables, wanted, Hold::Yes).await?;
    let payers = payers(work, invoice, &funds_of(&parts)).await?;
    if document::text(invoice, "currency") == Some(payers.year.currency.as_str()) {
        // Between equal currencies there is no rate but 1.
        document::set(invoice, RATE, Some(number(rust_decimal::Decimal::ONE)));
        return Ok(());
    }
    let fresh = pending_payments(&parts, payers.terms(id, rate));
    let update = matched(stored, fresh);
    if !update.is_empty() {
        apply(work, &Batch::updating(update), Code::PendingPayment).await?;
    }
    let vendor_id = document::id(invoice, "vendorId").unwrap_or_default();
    let vendor = organization(work.transaction, tables, vendor_id).await?;
    let vendor = vendor
        .ok_or_else(|| Refusal::missing(Code::VendorMissing).with("organizationId", vendor_id))?;
    voucher::make(work, id, invoice, &parts, &payers, rate, &vendor).await?;
    document::set(invoice, "voucherNumber", invoice_number(held));
    Ok(())
}

fn invoice_number(held: &Document) -> Option<Value> {
    held.get("voucherNumber").cloned()
}

/// The stored pending payments with their new amounts: each has that of the same line, fund, class and
/// encumbrance.
fn matched(stored: Vec<FundTransaction>, mut fresh: Vec<FundTransaction>) -> Vec<FundTransaction> {
    let is_pending =
        |one: &FundTransaction| one.kind == Kind::PendingPayment && !one.is_cancelled();
    let mut update = Vec::new();
    for mut one in stored.into_iter().filter(is_pending) {
        let Some(at) = fresh.iter().position(|new| is_for_the_same(new, &one)) else {
            continue;
        };
        let new = fresh.remove(at);
        if new.amount != one.amount {
            one.amount = new.amount;
            update.push(one);
        }
    }
    update
}
