//! Lines of invoices: made, changed and deleted, with the shares of the invoice's adjustments, the totals and
//! the ties to orders.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_organizations::units::Operation;
use octavo_records::store::delete;
use octavo_records::{Context, StoreError, new_id};
use serde_json::{Value, json};
use uuid::Uuid;

use super::change_invoice::{settle_id, spread_over, write_totals};
use super::guard::{Rights, allow};
use super::keep::{LINES, Work, add_line, hold_invoice, put_invoice, put_lines};
use super::stored_invoices::NEXT_LINE;
use super::{checked, classes, fiscal_year, links, order_lines};
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::adjustment::Adjustment;
use crate::rules::distribution::{self, Distribution};
use crate::rules::document::{self, Document};
use crate::rules::protected::{self, OF_LINE};
use crate::rules::status::Status;
use crate::store::invoices::{Stored, hold_lines, invoice_of_line};

fn status(invoice: &Document) -> Status {
    Status::named(document::text(invoice, "status").unwrap_or_default())
}

/// Stores a line under the next number of its invoice; gives its id and the stored JSON.
///
/// # Errors
/// The first of FOLIO's refusals.
#[boxed]
pub async fn create_line(
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
/// As [`create_line`].
#[boxed]
pub async fn create_within(
    work: Work<'_>,
    rights: Rights,
    sent: Value,
) -> Result<(Uuid, Bytes), Declined> {
    let (transaction, context) = (work.transaction, work.context);
    let mut line = checked(context, LINES, sent)?;
    let invoice_id = document::id(&line, "invoiceId").unwrap_or_default();
    let mut invoice = hold_invoice(work, invoice_id).await?;
    check_shares(&invoice, &line)?;
    if status(&invoice).is_settled() {
        return Err(Refusal::failed(Code::LineCreation).into());
    }
    allow(context, transaction, rights, Operation::Create, &invoice).await?;
    let distributions = Distribution::all(&line);
    let fund = distributions.first().map(|one| one.fund_id);
    let year = fiscal_year::fill_from_line(work, &mut invoice, fund).await?;
    classes::check(work, year, &distributions).await?;
    number(&mut invoice, &mut line);
    if let Some(po_line) = document::id(&line, "poLineId") {
        order_lines::tie(work, invoice_id, &mut invoice, po_line).await?;
    }
    let id = document::id(&line, "id").unwrap_or_else(new_id);
    line.insert("id".to_owned(), json!(id));
    let mut lines = hold_lines(transaction, context.tables(), invoice_id).await?;
    let before = lines.clone();
    let mut own = vec![(id, line)];
    if let Some(year) = year {
        links::relink(work, year, &mut own).await?;
    }
    lines.extend(own);
    spread_over(&invoice, &mut lines);
    write_totals(&mut invoice, &mut lines);
    let Some((_, line)) = lines.pop() else {
        return Err(StoreError::fault("a line is lost").into());
    };
    let made = add_line(work, line).await?;
    put_lines(work, changed(&before, lines)).await?;
    put_invoice(work, invoice_id, invoice).await?;
    Ok(made)
}

/// Takes the next number of an invoice that is locked.
fn number(invoice: &mut Document, line: &mut Document) {
    let next = invoice.get(NEXT_LINE).and_then(Value::as_i64).unwrap_or(1);
    invoice.insert(NEXT_LINE.to_owned(), json!(next + 1));
    line.insert("invoiceLineNumber".to_owned(), json!(next.to_string()));
}

/// The shares that a line sends are of adjustments that the invoice has.
fn check_shares(invoice: &Document, line: &Document) -> Result<(), Refusal> {
    let own = prorated_ids(invoice);
    let unknown = shares(line).into_iter().find(|id| !own.contains(id));
    match unknown {
        None => Ok(()),
        Some(id) => Err(Refusal::invalid(Code::AddAdjustment).with("adjustmentId", id)),
    }
}

fn prorated_ids(invoice: &Document) -> Vec<Uuid> {
    let prorated = Adjustment::all(invoice).into_iter();
    prorated
        .filter(Adjustment::is_prorated)
        .filter_map(|one| one.id)
        .collect()
}

fn shares(line: &Document) -> Vec<Uuid> {
    let adjustments = Adjustment::all(line).into_iter();
    adjustments.filter_map(|one| one.adjustment_id).collect()
}

fn changed(before: &[Stored], now: Vec<Stored>) -> Vec<Stored> {
    now.into_iter()
        .filter(|line| !before.contains(line))
        .collect()
}

/// Replaces a line.
///
/// # Errors
/// The first of FOLIO's refusals.
#[boxed]
pub async fn change_line(
    context: &Context<'_>,
    rights: Rights,
    id: Uuid,
    mut sent: Value,
) -> Result<(), Declined> {
    settle_id(id, &mut sent)?;
    let mut line = checked(context, LINES, sent)?;
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let invoice_id = invoice_of_line(&transaction, context.tables(), id).await?;
    let invoice_id = invoice_id.ok_or(StoreError::NotFound)?;
    let mut invoice = hold_invoice(work, invoice_id).await?;
    let before = hold_lines(&transaction, context.tables(), invoice_id).await?;
    let mut lines = before.clone();
    let place = lines.iter().position(|(of, _)| *of == id);
    let place = place.ok_or(StoreError::NotFound)?;
    let held = lines[place].1.clone();
    allow(context, &transaction, rights, Operation::Update, &invoice).await?;
    document::set(
        &mut line,
        "invoiceLineNumber",
        held.get("invoiceLineNumber").cloned(),
    );
    if status(&invoice).is_settled() {
        check_protected(&held, &line)?;
        lines[place].1 = line;
    } else {
        check_shares(&invoice, &line)?;
        let sent = shares(&line);
        if let Some(gone) = prorated_ids(&invoice)
            .into_iter()
            .find(|one| !sent.contains(one))
        {
            return Err(Refusal::invalid(Code::DeleteAdjustment)
                .with("adjustmentId", gone)
                .into());
        }
        line.insert("invoiceId".to_owned(), json!(invoice_id));
        distribution::unlink_changed_funds(&mut line, &held);
        let year = document::id(&invoice, "fiscalYearId");
        classes::check(work, year, &Distribution::all(&line)).await?;
        lines[place].1 = line;
        follow_order(work, invoice_id, &mut invoice, &held, (&lines, place)).await?;
        spread_over(&invoice, &mut lines);
    }
    write_totals(&mut invoice, &mut lines);
    put_lines(work, changed(&before, lines)).await?;
    put_invoice(work, invoice_id, invoice).await?;
    transaction.commit().await?;
    Ok(())
}

/// Ties the invoice to the order that a line is about now, and unties it from the one that it was about.
async fn follow_order(
    work: Work<'_>,
    invoice_id: Uuid,
    invoice: &mut Document,
    held: &Document,
    (lines, place): (&[Stored], usize),
) -> Result<(), Declined> {
    let had = document::id(held, "poLineId");
    let has = document::id(&lines[place].1, "poLineId");
    if had == has {
        return Ok(());
    }
    if let Some(po_line) = has {
        order_lines::tie(work, invoice_id, invoice, po_line).await?;
    }
    order_lines::untie(work, invoice_id, invoice, lines, had).await
}

fn check_protected(held: &Document, line: &Document) -> Result<(), Refusal> {
    let changed = protected::changed(OF_LINE, held, line);
    match changed.is_empty() {
        true => Ok(()),
        false => Err(Refusal::bad(Code::Protected)
            .with_property("protectedAndModifiedFields", json!(changed))),
    }
}

/// Deletes a line.
///
/// # Errors
/// 404 when there is none, 403 when its invoice is approved or paid or its units forbid it.
#[boxed]
pub async fn remove_line(context: &Context<'_>, rights: Rights, id: Uuid) -> Result<(), Declined> {
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let invoice_id = invoice_of_line(&transaction, context.tables(), id).await?;
    let Some(invoice_id) = invoice_id else {
        return Err(Refusal::missing(Code::InvoiceOfLine)
            .with("lineId", id)
            .into());
    };
    let mut invoice = hold_invoice(work, invoice_id).await?;
    allow(context, &transaction, rights, Operation::Delete, &invoice).await?;
    if status(&invoice).holds_money() {
        return Err(Refusal::forbidden(Code::DeleteForbidden).into());
    }
    let before = hold_lines(&transaction, context.tables(), invoice_id).await?;
    let (gone, mut lines): (Vec<Stored>, Vec<Stored>) =
        before.clone().into_iter().partition(|(of, _)| *of == id);
    let (_, gone) = gone.into_iter().next().ok_or(StoreError::NotFound)?;
    let collection = context.collection(LINES);
    delete(&transaction, context.tenant, collection, id).await?;
    let po_line = document::id(&gone, "poLineId");
    order_lines::untie(work, invoice_id, &mut invoice, &lines, po_line).await?;
    if !status(&invoice).is_settled() {
        spread_over(&invoice, &mut lines);
    }
    write_totals(&mut invoice, &mut lines);
    put_lines(work, changed(&before, lines)).await?;
    put_invoice(work, invoice_id, invoice).await?;
    transaction.commit().await?;
    Ok(())
}
