//! Approves an invoice: its money is reserved by pending payments, and a voucher orders to pay it.

use octavo_boxed::boxed;
use octavo_finance::Amount;
use octavo_finance::app::transactions;
use octavo_finance::records::{EncumbranceStatus, FundTransaction};
use octavo_finance::rules::batch::Batch;
use octavo_organizations::app::look_up::{Organization, organization};
use rust_decimal::Decimal;
use serde_json::json;
use uuid::Uuid;

use super::keep::Work;
use super::links::{encumbrances, po_lines, relink};
use super::terms::{Payers, payers, rate};
use super::{classes, voucher};
use crate::refusal::{Code, Declined, Refusal, of_finance};
use crate::rules::amount::{half_even, json as number, percent};
use crate::rules::distribution::{self, Distribution, Mismatch};
use crate::rules::document::{self, Document};
use crate::rules::links::{Charged, uncharged};
use crate::rules::parts::{Whole, funds_of, pending_payments, wholes};
use crate::rules::totals::{self, Totals};
use crate::store::invoices::Stored;

/// Approves an invoice that is locked with its lines. The caller stores both.
///
/// # Errors
/// The first of FOLIO's refusals.
#[boxed]
pub async fn approve(
    work: Work<'_>,
    id: Uuid,
    invoice: &mut Document,
    lines: &mut [Stored],
) -> Result<(), Declined> {
    let vendor = vendor(work, invoice).await?;
    let totals = totals::of_invoice(invoice, lines.iter().map(|(_, line)| line));
    check_whole(invoice, lines, totals)?;
    let parts = wholes(invoice, lines, totals);
    check_distributions(&parts)?;
    let fund_ids = funds_of(&parts);
    // Encumbrances before budgets, as everywhere; which ones depends on the year, which depends on nothing
    // that is locked.
    let year = match document::id(invoice, "fiscalYearId") {
        Some(year) => Some(year),
        None => match fund_ids.first() {
            Some(fund) => Some(super::terms::current_year(work, *fund).await?.id),
            None => None,
        },
    };
    let held = match year {
        Some(year) => relink(work, year, lines).await?,
        None => Vec::new(),
    };
    let payers = payers(work, invoice, &fund_ids).await?;
    let all: Vec<Distribution> = parts
        .iter()
        .flat_map(|part| part.distributions.clone())
        .collect();
    classes::check(work, Some(payers.year.id), &all).await?;
    let rate = rate(work, invoice, &payers.year.currency).await?;
    // The distributions have their links now.
    let parts = wholes(invoice, lines, totals);
    let pending = pending_payments(&parts, payers.terms(id, rate));
    check_expenditure(&payers, &pending)?;
    reserve(work, &payers, lines, pending, &held).await?;
    invoice.insert("fiscalYearId".to_owned(), json!(payers.year.id));
    invoice.insert("exchangeRate".to_owned(), number(rate));
    if let Some(user) = work.context.stamp.user_id {
        invoice.insert("approvedBy".to_owned(), json!(user));
    }
    invoice.insert("approvalDate".to_owned(), json!(work.context.now()));
    voucher::make(work, id, invoice, &parts, &payers, rate, &vendor).await
}

async fn vendor(work: Work<'_>, invoice: &Document) -> Result<Organization, Declined> {
    let id = document::id(invoice, "vendorId").unwrap_or_default();
    let tables = work.context.tables();
    let Some(vendor) = organization(work.transaction, tables, id).await? else {
        return Err(Refusal::missing(Code::VendorMissing)
            .with("organizationId", id)
            .into());
    };
    match vendor.is_vendor {
        true => Ok(vendor),
        false => Err(Refusal::bad(Code::NotAVendor)
            .with("organizationId", id)
            .into()),
    }
}

/// Accounting code, the total that the library locked, and lines.
fn check_whole(invoice: &Document, lines: &[Stored], totals: Totals) -> Result<(), Refusal> {
    let has_code = document::text(invoice, "accountingCode").is_some_and(|code| !code.is_empty());
    if document::flag(invoice, "exportToAccounting") && !has_code {
        return Err(Refusal::bad(Code::NoAccountingCode));
    }
    if let Some(locked) = document::given(invoice, "lockTotal")
        && locked != totals.total
    {
        return Err(Refusal::bad(Code::LockTotal));
    }
    match lines.is_empty() {
        true => Err(Refusal::bad(Code::Generic).saying(
            "An invoice cannot be approved if there are no corresponding lines of invoice.",
        )),
        false => Ok(()),
    }
}

/// Whether every line and adjustment is distributed among funds as a whole: lines come first.
fn check_distributions(parts: &[Whole]) -> Result<(), Refusal> {
    for is_line in [true, false] {
        let of_kind = || {
            parts
                .iter()
                .filter(|part| part.line_id.is_some() == is_line)
        };
        if of_kind().any(|part| part.distributions.is_empty()) {
            return Err(Refusal::bad(match is_line {
                true => Code::NoDistributions,
                false => Code::NoAdjustmentDistributions,
            }));
        }
        for part in of_kind() {
            distribution::check(part.total, &part.distributions).map_err(mismatch)?;
        }
    }
    Ok(())
}

/// The refusal of distributions that do not make the whole.
#[must_use]
pub fn mismatch(mismatch: Mismatch) -> Refusal {
    match mismatch {
        Mismatch::Remains(amount) => Refusal::invalid(Code::DistributionTotal)
            .with("remainingAmount", format!("{:.2}", half_even(amount, 2))),

        Mismatch::MixedForZero => Refusal::invalid(Code::MixedTypes),
    }
}

/// Whether the budgets of ledgers that restrict expenditures have the money; those that do not are named
/// together.
fn check_expenditure(payers: &Payers, pending: &[FundTransaction]) -> Result<(), Refusal> {
    let mut short = Vec::new();
    for (fund, account) in &payers.budgets {
        let Some(allowed) = account.budget.allowable_expenditure else {
            continue;
        };
        if !account.restrict_expenditures {
            continue;
        }
        let new: Amount = pending
            .iter()
            .filter(|one| one.from_fund_id == Some(*fund))
            .map(|one| one.amount)
            .sum();
        let sums = account.budget.sums;
        let funding: Decimal = sums.computed().total_funding.decimal();
        let used = sums.expenditures - sums.credits + sums.awaiting_payment;
        let remaining = percent(funding, allowed.decimal()) - used.decimal();
        if new.decimal() > remaining {
            short.push(account.fund_code.clone());
        }
    }
    if short.is_empty() {
        return Ok(());
    }
    short.sort_unstable();
    let funds = format!("[{}]", short.join(", "));
    Err(Refusal::invalid(Code::FundCannotBePaid).with("funds", funds))
}

/// Makes the pending payments, and then releases the encumbrances of funds that do not pay.
async fn reserve(
    work: Work<'_>,
    payers: &Payers,
    lines: &[Stored],
    pending: Vec<FundTransaction>,
    held: &[FundTransaction],
) -> Result<(), Declined> {
    let batch = Batch::creating(pending);
    if !batch.is_empty() {
        apply(work, &batch, Code::PendingPayment).await?;
    }
    let charged: Vec<Charged> = lines
        .iter()
        .filter_map(|(_, line)| {
            let funds = distribution::funds(Distribution::all(line).iter());
            Some((document::id(line, "poLineId")?, funds))
        })
        .collect();
    if uncharged(&charged, held).is_empty() {
        return Ok(());
    }
    // Read again: the pending payments have changed them.
    let now = encumbrances(work, &po_lines(lines.iter()), payers.year.id).await?;
    let mut released = uncharged(&charged, &now);
    for one in &mut released {
        if let Some(encumbrance) = &mut one.encumbrance {
            encumbrance.status = EncumbranceStatus::Released;
        }
    }
    apply(work, &Batch::updating(released), Code::PendingPayment).await
}

/// Applies a batch of transactions.
///
/// # Errors
/// What finance refuses, in the words of this area.
pub(super) async fn apply(work: Work<'_>, batch: &Batch, act: Code) -> Result<(), Declined> {
    let done = transactions::apply(*work.context, work.transaction, batch).await;
    done.map_err(|declined| of_finance(declined, act))
}
