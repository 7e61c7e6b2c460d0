//! Changes an invoice: what is sent, what follows for its lines, and what a new status asks for.

use octavo_boxed::boxed;
use octavo_records::{Context, new_id};
use serde_json::{Value, json};
use uuid::Uuid;

use super::guard::{Rights, allow_change};
use super::keep::{Work, hold_invoice, put_invoice, put_lines};
use super::stored_invoices::NEXT_LINE;
use super::{approve, cancel, checked_invoice, fiscal_year, links, pay, rerate};
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::adjustment::{Adjustment, identify, ids_repeat};
use crate::rules::document::{self, Document};
use crate::rules::prorate::spread;
use crate::rules::protected::{self, OF_INVOICE};
use crate::rules::status::{Forbidden, Status, Transition, transition};
use crate::rules::totals;
use crate::store::invoices::{Stored, hold_lines};

/// Replaces an invoice.
///
/// # Errors
/// The first of FOLIO's refusals.
#[boxed]
pub async fn change_invoice(
    context: &Context<'_>,
    rights: Rights,
    id: Uuid,
    mut sent: Value,
) -> Result<(), Declined> {
    settle_id(id, &mut sent)?;
    let mut invoice = checked_invoice(context, sent)?;
    check_sent(&invoice)?;
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let held = hold_invoice(work, id).await?;
    let before = hold_lines(&transaction, context.tables(), id).await?;
    let mut lines = before.clone();
    allow_change(context, &transaction, rights, &held, &invoice).await?;
    fiscal_year::check_change(rights, &held, &invoice)?;
    let (was, becomes) = (status(&held), status(&invoice));
    check_rights(rights, was, becomes)?;
    let asked = transition(was, becomes).map_err(forbidden)?;
    for name in [NEXT_LINE, "folioInvoiceNo"] {
        if name == NEXT_LINE || !was.is_settled() {
            document::set(&mut invoice, name, held.get(name).cloned());
        }
    }
    match was.is_settled() {
        true => check_protected(&held, &invoice)?,
        false => prepare(work, &held, &mut invoice, &mut lines).await?,
    }
    act(work, id, asked, (&held, &mut invoice), &mut lines).await?;
    finish(work, id, (was, becomes), invoice, (&before, lines)).await?;
    transaction.commit().await?;
    Ok(())
}

/// The body's id is that of the path; a missing one is filled in.
///
/// # Errors
/// 422 when the body has another id.
pub fn settle_id(id: Uuid, sent: &mut Value) -> Result<(), Refusal> {
    let given = sent.get("id").and_then(Value::as_str).unwrap_or_default();
    if given.is_empty() {
        if let Value::Object(sent) = sent {
            sent.insert("id".to_owned(), json!(id));
        }
        return Ok(());
    }
    match Uuid::try_parse(given) == Ok(id) {
        true => Ok(()),
        false => Err(Refusal::invalid(Code::IdMismatch)),
    }
}

/// What can be seen of an invoice alone.
pub(super) fn check_sent(invoice: &Document) -> Result<(), Refusal> {
    if ids_repeat(invoice) {
        return Err(Refusal::invalid(Code::AdjustmentIds));
    }
    let is_approved = invoice.contains_key("approvedBy") || invoice.contains_key("approvalDate");
    match is_approved && !status(invoice).is_settled() {
        true => Err(Refusal::invalid(Code::IncompatibleFields)),
        false => Ok(()),
    }
}

fn status(invoice: &Document) -> Status {
    Status::named(document::text(invoice, "status").unwrap_or_default())
}

fn check_rights(rights: Rights, was: Status, becomes: Status) -> Result<(), Refusal> {
    let (allowed, code) = match becomes {
        Status::Approved => (rights.approves, Code::MayNotApprove),
        Status::Paid => (rights.pays, Code::MayNotPay),
        Status::Cancelled => (rights.cancels, Code::MayNotCancel),
        Status::Open | Status::Reviewed => return Ok(()),
    };
    match allowed || was == becomes {
        true => Ok(()),
        false => Err(Refusal::forbidden(code)),
    }
}

fn forbidden(forbidden: Forbidden) -> Refusal {
    match forbidden {
        Forbidden::FromPaid => Refusal::invalid(Code::FromPaid),
        Forbidden::NotApproved => Refusal::bad(Code::NotApproved),
        Forbidden::NotCancellable => Refusal::invalid(Code::NotCancellable),
        // With the fields of an approval it was refused before.
        Forbidden::Reopened => Refusal::bad(Code::Protected).with_property(
            "protectedAndModifiedFields",
            json!(["approvedBy", "approvalDate"]),
        ),
    }
}

fn check_protected(held: &Document, invoice: &Document) -> Result<(), Refusal> {
    let changed = protected::changed(OF_INVOICE, held, invoice);
    match changed.is_empty() {
        true => Ok(()),
        false => Err(Refusal::bad(Code::Protected)
            .with_property("protectedAndModifiedFields", json!(changed))),
    }
}

/// What is settled before approval: adjustments in the lines, the fiscal year, links to encumbrances.
async fn prepare(
    work: Work<'_>,
    held: &Document,
    invoice: &mut Document,
    lines: &mut [Stored],
) -> Result<(), Declined> {
    identify(invoice, new_id);
    if prorated(held) != prorated(invoice) {
        spread_over(invoice, lines);
    }
    fiscal_year::fill_from_adjustments(work, invoice).await?;
    let (had, has) = (
        document::id(held, "fiscalYearId"),
        document::id(invoice, "fiscalYearId"),
    );
    if let Some(year) = has.filter(|year| had.is_some_and(|had| had != *year)) {
        links::relink(work, year, lines).await?;
    }
    Ok(())
}

fn prorated(invoice: &Document) -> Vec<Document> {
    let adjustments = document::objects(invoice, "adjustments");
    let prorated = adjustments.filter(|one| Adjustment::read(one).is_prorated());
    prorated.cloned().collect()
}

/// Spreads the prorated adjustments of an invoice over its lines.
pub(super) fn spread_over(invoice: &Document, lines: &mut [Stored]) {
    let mut documents: Vec<Document> = lines.iter().map(|(_, line)| line.clone()).collect();
    for at in spread(invoice, &mut documents) {
        lines[at].1 = documents[at].clone();
    }
}

async fn act(
    work: Work<'_>,
    id: Uuid,
    asked: Transition,
    (held, invoice): (&Document, &mut Document),
    lines: &mut [Stored],
) -> Result<(), Declined> {
    write_totals(invoice, lines);
    match asked {
        Transition::Approve => approve::approve(work, id, invoice, lines).await,
        Transition::Pay => {
            rerate::rerate(work, id, held, invoice, lines).await?;
            pay::pay(work, id, invoice, lines).await
        }
        Transition::Cancel => cancel::cancel(work, id, status(held), held, lines).await,
        Transition::Plain if status(held) == Status::Approved => {
            rerate::rerate(work, id, held, invoice, lines).await
        }
        Transition::Plain | Transition::Restore => Ok(()),
    }
}

/// Computes the totals of lines and invoice.
pub(super) fn write_totals(invoice: &mut Document, lines: &mut [Stored]) {
    let currency = document::text(invoice, "currency").unwrap_or_default();
    let currency = currency.to_owned();
    for (_, line) in lines.iter_mut() {
        totals::write_line(line, &currency);
    }
    let own = totals::of_invoice(invoice, lines.iter().map(|(_, line)| line));
    totals::write_invoice(invoice, own);
}

async fn finish(
    work: Work<'_>,
    id: Uuid,
    (was, becomes): (Status, Status),
    invoice: Document,
    (before, mut lines): (&[Stored], Vec<Stored>),
) -> Result<(), Declined> {
    if was != becomes {
        for (_, line) in &mut lines {
            line.insert("invoiceLineStatus".to_owned(), json!(becomes.name()));
        }
    }
    let changed: Vec<Stored> = lines
        .into_iter()
        .zip(before)
        .filter(|(now, before)| now != *before)
        .map(|(now, _)| now)
        .collect();
    put_lines(work, changed).await?;
    put_invoice(work, id, invoice).await?;
    Ok(())
}
