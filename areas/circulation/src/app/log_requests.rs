//! Log lines for changes of placed requests (edited, cancelled, expired, moved in the queue), from the
//! documents before and after, in the transaction of the operation.

use octavo_library::id_in;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde_json::{Map, Value};

use super::Desk;
use super::journal::{self, By};
use crate::circulation_log::{log_of_queue, log_of_request};
use crate::facts::{LogEntry, LogItem};
use crate::request_change::RequestChanged;

/// Writes a line of the circulation log for each changed request.
pub async fn log_request_changes(
    desk: Desk<'_>,
    transaction: &Transaction,
    changed: &[RequestChanged],
    by: By,
) -> Result<(), StoreError> {
    let lines: Vec<LogEntry> = changed.iter().map(log_of_request).collect();
    journal::note_by(desk, transaction, &lines, by).await
}

/// Writes the lines of a queue that is reordered.
pub async fn log_reordered(
    desk: Desk<'_>,
    transaction: &Transaction,
    changed: &[RequestChanged],
) -> Result<(), StoreError> {
    journal::note_all(desk, transaction, &log_of_queue(changed)).await
}

/// The item of a request for the log, from the request's own properties.
pub fn item_of(request: &Map<String, Value>) -> LogItem {
    let barcode = request
        .get("item")
        .and_then(|item| item["barcode"].as_str());
    LogItem {
        item_barcode: barcode.map(str::to_owned),
        item_id: id_in(request, "itemId"),
        instance_id: id_in(request, "instanceId"),
        holding_id: id_in(request, "holdingsRecordId"),
        loan_id: None,
    }
}

/// The requester's barcode, from the request's own properties.
pub fn barcode_of(request: &Map<String, Value>) -> Option<String> {
    let requester = request.get("requester")?;
    requester["barcode"].as_str().map(str::to_owned)
}
