//! Log lines and events of operations on a loan.

use jiff::{Timestamp, tz::TimeZone};
use octavo_library::{Loan, Patron, wire_time};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::emit;
use serde_json::{Map, Value, json};

use super::Desk;
use crate::facts::{Item, LogEntry, LogItem, LogLinks, LogRecord};

/// A line about a loan as it was before the operation; FOLIO names the service point of the check-out.
pub(super) fn about(
    loan: &Loan,
    item: Option<&Item>,
    patron: Option<&Patron>,
    action: &'static str,
    description: String,
) -> LogEntry {
    let of_item = match item {
        Some(item) => LogItem::of(item, Some(loan.id)),
        None => LogItem {
            item_id: Some(loan.item_id),
            loan_id: Some(loan.id),
            ..LogItem::default()
        },
    };
    LogEntry {
        object: "Loan",
        action,
        user_barcode: patron.and_then(|patron| patron.barcode.clone()),
        items: vec![of_item],
        service_point_id: loan.checkout_service_point_id,
        description,
        link_to_ids: LogLinks {
            user_id: loan.user_id,
            ..LogLinks::default()
        },
        record: LogRecord::OfLine,
    }
}

/// `New due date: … (from …)`, in the tenant's time zone.
pub(super) fn new_due_date(now: Timestamp, before: Option<Timestamp>, zone: &TimeZone) -> String {
    let local = |at: Timestamp| {
        let zoned = at.to_zoned(zone.clone());
        zoned.strftime("%Y-%m-%dT%H:%M:%S%.3f%:z").to_string()
    };
    let before = before.map_or_else(|| "null".to_owned(), local);
    format!("New due date: {} (from {before})", local(now))
}

/// Writes the event that the due date of a loan has changed.
pub(super) async fn due_date_changed(
    desk: Desk<'_>,
    transaction: &Transaction,
    loan: &Loan,
    document: &Map<String, Value>,
) -> Result<(), StoreError> {
    let recalled = document.get("dueDateChangedByRecall") == Some(&Value::Bool(true));
    let mut event = json!({"loanId": loan.id, "dueDateChangedByRecall": recalled});
    if let Some(user_id) = document.get("userId") {
        event["userId"] = user_id.clone();
    }
    if let Some(due_date) = document.get("dueDate") {
        event["dueDate"] = wire_time::to_wire(due_date);
    }
    emit(
        transaction,
        desk.tenant,
        "circulation.LOAN_DUE_DATE_CHANGED",
        loan.id.uuid(),
        "UPDATE",
        &event,
    )
    .await
}
