//! Writes invoices and lines with their events. What the server changes itself is written here, on rows that
//! the transaction has locked.

use bytes::Bytes;
use octavo_postgres::Transaction;
use octavo_records::store::{Locking, emit_many, fetch_locked, insert, replace_many};
use octavo_records::{Context, StoreError};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::rules::document::Document;
use crate::rules::totals;
use crate::store::invoices::{Stored, hold_lines};

pub const INVOICES: &str = "invoices";
pub const LINES: &str = "invoice_lines";

/// The transaction that an operation works in, and its context.
#[derive(Debug, Clone, Copy)]
pub struct Work<'w> {
    pub transaction: &'w Transaction,
    pub context: &'w Context<'w>,
}

/// An invoice, locked until the transaction ends.
///
/// # Errors
/// When there is none.
pub async fn hold_invoice(work: Work<'_>, id: Uuid) -> Result<Document, StoreError> {
    let Work {
        transaction,
        context,
    } = work;
    let collection = context.collection(INVOICES);
    match fetch_locked(transaction, context.tenant, collection, id).await? {
        Some(Value::Object(invoice)) => Ok(invoice),
        _ => Err(StoreError::NotFound),
    }
}

/// Stores a new invoice; gives its id and the stored JSON.
///
/// # Errors
/// When its batch group does not exist.
pub async fn add_invoice(work: Work<'_>, invoice: Document) -> Result<(Uuid, Bytes), StoreError> {
    let made = add(work, INVOICES, invoice.clone()).await?;
    announce_invoice(work, "Create", made.0, invoice).await?;
    Ok(made)
}

/// Replaces an invoice that is locked.
///
/// # Errors
/// When its batch group does not exist.
pub async fn put_invoice(work: Work<'_>, id: Uuid, invoice: Document) -> Result<(), StoreError> {
    put(work, INVOICES, &[(id, invoice.clone())]).await?;
    announce_invoice(work, "Edit", id, invoice).await
}

/// Stores a new line; gives its id and the stored JSON.
///
/// # Errors
/// When its invoice does not exist.
pub async fn add_line(work: Work<'_>, line: Document) -> Result<(Uuid, Bytes), StoreError> {
    let made = add(work, LINES, line.clone()).await?;
    announce_lines(work, "Create", vec![(made.0, line)]).await?;
    Ok(made)
}

/// Replaces lines that are locked.
///
/// # Errors
/// When one does not exist.
pub async fn put_lines(work: Work<'_>, lines: Vec<Stored>) -> Result<(), StoreError> {
    put(work, LINES, &lines).await?;
    announce_lines(work, "Edit", lines).await
}

/// Computes the totals of an invoice anew from its lines, after one changed.
///
/// # Errors
/// When there is no such invoice.
pub async fn refresh_totals(work: Work<'_>, id: Uuid) -> Result<(), StoreError> {
    let mut invoice = hold_invoice(work, id).await?;
    let lines = hold_lines(work.transaction, work.context.tables(), id).await?;
    let totals = totals::of_invoice(&invoice, lines.iter().map(|(_, line)| line));
    if totals::write_invoice(&mut invoice, totals) {
        put_invoice(work, id, invoice).await?;
    }
    Ok(())
}

async fn add(work: Work<'_>, table: &str, document: Document) -> Result<(Uuid, Bytes), StoreError> {
    let Work {
        transaction,
        context,
    } = work;
    let collection = context.collection(table);
    insert(
        transaction,
        context.tenant,
        collection,
        document,
        &context.stamp,
    )
    .await
}

async fn put(work: Work<'_>, table: &str, documents: &[Stored]) -> Result<(), StoreError> {
    let Work {
        transaction,
        context,
    } = work;
    replace_many(
        transaction,
        context.tenant,
        context.collection(table),
        documents,
        &context.stamp,
        Locking::Declared,
    )
    .await
}

async fn announce_invoice(
    work: Work<'_>,
    action: &str,
    id: Uuid,
    mut invoice: Document,
) -> Result<(), StoreError> {
    invoice.shift_remove("metadata");
    invoice.insert("id".to_owned(), json!(id));
    let payload = json!({"invoiceId": id, "invoiceSnapshot": invoice});
    let topic = "Default.ACQ_INVOICE_CHANGED";
    announce(work, topic, action, vec![(id, payload)]).await
}

async fn announce_lines(
    work: Work<'_>,
    action: &str,
    lines: Vec<Stored>,
) -> Result<(), StoreError> {
    let events = lines.into_iter().map(|(id, mut line)| {
        line.shift_remove("metadata");
        line.insert("id".to_owned(), json!(id));
        let payload = json!({"invoiceLineId": id, "invoiceId": line.get("invoiceId"),
                             "invoiceLineSnapshot": line});
        (id, payload)
    });
    let topic = "Default.ACQ_INVOICE_LINE_CHANGED";
    announce(work, topic, action, events.collect()).await
}

/// Writes events in the form of FOLIO's audit.
async fn announce(
    work: Work<'_>,
    topic: &str,
    action: &str,
    mut events: Vec<(Uuid, Value)>,
) -> Result<(), StoreError> {
    let Context { tenant, stamp, .. } = work.context;
    let at = work.context.now();
    for (_, payload) in &mut events {
        payload["action"] = json!(action);
        payload["eventDate"] = json!(at);
        payload["actionDate"] = json!(at);
        payload["userId"] = json!(stamp.user_id);
    }
    emit_many(work.transaction, tenant, topic, action, &events).await
}
