//! `/invoice-storage`: invoices and lines as they are sent, with the number of the next line and totals that
//! agree.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_records::store::{delete, fetch_locked};
use octavo_records::{Context, StoreError};
use serde_json::{Value, json};
use uuid::Uuid;

use super::keep::{
    INVOICES, LINES, Work, add_invoice, add_line, hold_invoice, put_invoice, put_lines,
    refresh_totals,
};
use super::{checked, checked_invoice};
use crate::rules::document;
use crate::rules::totals;
use crate::store::invoices::{delete_parts, hold_lines, invoice_of_line};

/// The property that counts lines.
pub const NEXT_LINE: &str = "nextInvoiceLineNumber";

/// Stores an invoice.
///
/// # Errors
/// When it does not fit, or its batch group does not exist.
#[boxed]
pub async fn create_invoice(
    context: &Context<'_>,
    document: Value,
) -> Result<(Uuid, Bytes), StoreError> {
    let mut invoice = checked_invoice(context, document)?;
    invoice.insert(NEXT_LINE.to_owned(), json!(1));
    let own = totals::of_invoice(&invoice, [].iter());
    totals::write_invoice(&mut invoice, own);
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let made = add_invoice(work, invoice).await?;
    transaction.commit().await?;
    Ok(made)
}

/// Replaces an invoice; the number of its next line stays.
///
/// # Errors
/// When there is none, or it does not fit.
#[boxed]
pub async fn replace_invoice(
    context: &Context<'_>,
    id: Uuid,
    mut document: Value,
) -> Result<(), StoreError> {
    context.collection(INVOICES).settle_id(id, &mut document);
    let mut invoice = checked_invoice(context, document)?;
    invoice.insert("id".to_owned(), json!(id));
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let held = hold_invoice(work, id).await?;
    document::set(&mut invoice, NEXT_LINE, held.get(NEXT_LINE).cloned());
    let lines = hold_lines(&transaction, context.tables(), id).await?;
    let own = totals::of_invoice(&invoice, lines.iter().map(|(_, line)| line));
    totals::write_invoice(&mut invoice, own);
    put_invoice(work, id, invoice).await?;
    transaction.commit().await?;
    Ok(())
}

/// Deletes an invoice with its lines and documents.
///
/// # Errors
/// When there is none, or a voucher belongs to it.
#[boxed]
pub async fn delete_invoice(context: &Context<'_>, id: Uuid) -> Result<(), StoreError> {
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let _ = hold_invoice(work, id).await?;
    delete_parts(&transaction, context.tables(), id).await?;
    let collection = context.collection(INVOICES);
    delete(&transaction, context.tenant, collection, id).await?;
    transaction.commit().await?;
    Ok(())
}

/// Stores a line.
///
/// # Errors
/// When it does not fit, or its invoice does not exist.
#[boxed]
pub async fn create_line(
    context: &Context<'_>,
    document: Value,
) -> Result<(Uuid, Bytes), StoreError> {
    let line = checked(context, LINES, document)?;
    let invoice = document::id(&line, "invoiceId");
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let made = add_line(work, line).await?;
    if let Some(invoice) = invoice {
        refresh_totals(work, invoice).await?;
    }
    transaction.commit().await?;
    Ok(made)
}

/// Replaces a line.
///
/// # Errors
/// When there is none, or it does not fit.
#[boxed]
pub async fn replace_line(
    context: &Context<'_>,
    id: Uuid,
    mut document: Value,
) -> Result<(), StoreError> {
    let collection = context.collection(LINES);
    collection.settle_id(id, &mut document);
    let mut line = checked(context, LINES, document)?;
    line.insert("id".to_owned(), json!(id));
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let had = invoice_of_line(&transaction, context.tables(), id).await?;
    let had = had.ok_or(StoreError::NotFound)?;
    // The invoice before its lines, as everywhere.
    let _ = hold_invoice(work, had).await?;
    let held = fetch_locked(&transaction, context.tenant, collection, id).await?;
    let _ = held.ok_or(StoreError::NotFound)?;
    let has = document::id(&line, "invoiceId");
    put_lines(work, vec![(id, line)]).await?;
    refresh_totals(work, had).await?;
    if let Some(has) = has.filter(|has| *has != had) {
        refresh_totals(work, has).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Deletes a line.
///
/// # Errors
/// When there is none.
#[boxed]
pub async fn delete_line(context: &Context<'_>, id: Uuid) -> Result<(), StoreError> {
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let invoice = invoice_of_line(&transaction, context.tables(), id).await?;
    let invoice = invoice.ok_or(StoreError::NotFound)?;
    let _ = hold_invoice(work, invoice).await?;
    delete(&transaction, context.tenant, context.collection(LINES), id).await?;
    refresh_totals(work, invoice).await?;
    transaction.commit().await?;
    Ok(())
}
