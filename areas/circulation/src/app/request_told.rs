//! The one place that every change of a placed request passes, with its documents before and after:
//! edited, cancelled, expired, put elsewhere in its queue. What others are to be told of a request is
//! told from here, in the transaction of the act.

use octavo_library::id_in;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde_json::{Map, Value};

use super::Desk;
use super::journal::{self, By};
use crate::circulation_log::log_of_request;
use crate::facts::{LogEntry, LogItem};
use crate::request_change::RequestChanged;

/// Tells what became of requests: a line in the circulation log for each.
pub async fn request_told(
    desk: Desk<'_>,
    transaction: &Transaction,
    changed: &[RequestChanged],
    by: By,
) -> Result<(), StoreError> {
    let lines: Vec<LogEntry> = changed.iter().map(log_of_request).collect();
    journal::note_by(desk, transaction, &lines, by).await
}

/// The item of a request as the log tells it, from what the request keeps of it.
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

/// The requester's barcode, from what the request keeps of them.
pub fn barcode_of(request: &Map<String, Value>) -> Option<String> {
    let requester = request.get("requester")?;
    requester["barcode"].as_str().map(str::to_owned)
}
