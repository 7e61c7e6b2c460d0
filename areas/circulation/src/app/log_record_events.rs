//! Adds the lines of events LOG_RECORD that other programs publish to the circulation log, each event's once.

use octavo_library::LoanId;
use octavo_records::{StoreError, instant};
use serde_json::{Value, json};
use uuid::Uuid;

use super::Desk;
use super::journal::forget_borrowers;
use crate::circulation_log::log_record_event::{EventLine, LogRecordEvent, Unfit};
use crate::store::document;
use crate::store::log_record_events::{add_once, known};

/// An event that does not say when it happened is the same as one before only for so long, in seconds: longer than
/// pub-sub tries to deliver one, shorter than the same item takes to come back.
const SAME_FOR: i64 = 240;

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum NotLogged {
    /// The log has no line for it.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds the lines of an event. The same event again adds nothing.
///
/// # Errors
/// When the event makes no line, or on a database error.
pub async fn add_lines_of(desk: Desk<'_>, event: Value) -> Result<(), NotLogged> {
    let record = LogRecordEvent::read(event)?;
    let content = record.content();
    let found = known(&desk.store.database, desk.tables(), &record.wanted()).await?;
    let lines = record.lines(&found)?;
    let transaction = desk
        .store
        .database
        .transaction()
        .await
        .map_err(StoreError::from)?;
    let now = desk.stamp.at.as_second();
    let (event, other) = match record.has_a_time() {
        true => (event_id(&content, 0), None),
        false => {
            let span = now.div_euclid(SAME_FOR);
            (event_id(&content, span), Some(event_id(&content, span - 1)))
        }
    };
    let mut stored = Vec::with_capacity(lines.len());
    let mut others = Vec::with_capacity(lines.len());
    for (place, line) in lines.iter().enumerate() {
        let id = line_id(event, place);
        stored.push(document_of(desk, line, event, id)?);
        others.push(other.map_or(id, |other| line_id(other, place)));
    }
    add_once(&transaction, desk.tables(), &stored, &others).await?;
    if let Some(loan) = record.forgets() {
        let item = lines.iter().find_map(|line| line.entry.items.first());
        let barcode = item.and_then(|item| item.item_barcode.as_deref());
        let about: Vec<(LoanId, &str)> =
            barcode.map(|barcode| (loan, barcode)).into_iter().collect();
        forget_borrowers(desk, &transaction, &about).await?;
    }
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(())
}

/// The id of an event by its content.
fn event_id(content: &str, span: i64) -> Uuid {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("{span} {content}").as_bytes())
}

fn line_id(event: Uuid, place: usize) -> Uuid {
    Uuid::new_v5(&event, &place.to_be_bytes())
}

fn document_of(
    desk: Desk<'_>,
    line: &EventLine,
    event: Uuid,
    id: Uuid,
) -> Result<Value, StoreError> {
    let mut stored = document(&line.entry)?;
    let date = line.date.clone();
    let date = date.unwrap_or_else(|| json!(instant::format(desk.stamp.at)));
    for (name, value) in [("id", json!(id)), ("eventId", json!(event)), ("date", date)] {
        stored.insert(name.to_owned(), value);
    }
    if let Some(source) = &line.source {
        stored.insert("source".to_owned(), json!(source));
    }
    Ok(Value::Object(stored))
}
