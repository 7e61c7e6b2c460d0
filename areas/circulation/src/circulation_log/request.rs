//! The log's lines of requests: placed, moved, or changed by a check-out or a check-in.

use octavo_library::{RequestId, RequestStatus, RequestType, ServicePointId, UserId};
use serde_json::{Map, Value, json};

use super::log_record::{of_request, set};
use super::{PointNames, about};
use crate::facts::{LogEntry, LogItem, LogRecord, QueuedRequest, RequestQueue};

/// A request that is placed or moved.
#[derive(Debug, Clone)]
pub struct RequestLine {
    pub id: RequestId,
    /// Hold, recall or page.
    pub kind: RequestType,
    pub requester_id: Option<UserId>,
    /// The requester's barcode.
    pub user_barcode: Option<String>,
    /// The pickup service point.
    pub pickup_service_point_id: Option<ServicePointId>,
    /// The item, or the title alone.
    pub item: LogItem,
}

/// The line of a request that is placed, with its document.
#[must_use]
pub fn request_created(
    request: RequestLine,
    overridden: bool,
    document: &Map<String, Value>,
) -> LogEntry {
    let (action, kind) = match overridden {
        true => (
            "Created through override",
            "REQUEST_CREATED_THROUGH_OVERRIDE_EVENT",
        ),
        false => ("Created", "REQUEST_CREATED_EVENT"),
    };
    let description = format!("Type: {}.", request.kind.name());
    let record = of_request(kind, document, json!({"created": document}));
    line(request, action, description, record)
}

/// The line of a request that is moved, with the barcodes of both items, and its document before and now.
#[must_use]
pub fn request_moved(
    request: RequestLine,
    (to, from): (Option<&str>, Option<&str>),
    (before, after): (&Map<String, Value>, &Map<String, Value>),
) -> LogEntry {
    let mut description = format!("Type: {}.", request.kind.name());
    if let Some(to) = to {
        description.push_str(&format!(" New item barcode: {to}"));
    }
    if let Some(from) = from {
        description.push_str(&format!(" (from: {from})."));
    }
    let documents = json!({"original": before, "updated": after});
    let record = of_request("REQUEST_MOVED_EVENT", before, documents);
    line(request, "Moved", description, record)
}

fn line(
    request: RequestLine,
    action: &'static str,
    description: String,
    record: Value,
) -> LogEntry {
    LogEntry {
        object: "Request",
        action,
        user_barcode: request.user_barcode,
        items: vec![request.item],
        service_point_id: request.pickup_service_point_id,
        description,
        link_to_ids: about(request.requester_id, Some(request.id)),
        record: LogRecord::Event(Box::new(record)),
    }
}

/// A request that changes.
pub(super) struct Changed<'a> {
    pub id: RequestId,
    pub status: RequestStatus,
    /// The requests as they were before.
    pub queue: &'a RequestQueue,
    /// The names of service points.
    pub points: PointNames<'a>,
}

impl Changed<'_> {
    /// The request as it was before; `None` when it was not in the queue.
    fn request(&self) -> Option<&QueuedRequest> {
        let mut requests = self.queue.requests().iter();
        requests.find(|request| request.id == self.id)
    }
}

/// The request's part of the operation's event.
pub(super) fn status_fields(change: &Changed<'_>) -> Option<Value> {
    let request = change.request()?;
    let mut event = json!({
        "id": request.id,
        "oldRequestStatus": request.status.name(),
        "newRequestStatus": change.status.name(),
        "requestType": request.request_type.name(),
    });
    let point = request.pickup_service_point_id.and_then(change.points);
    set(&mut event, "pickUpServicePoint", point);
    Some(event)
}

/// The line, in addition to that of the operation; `None` when the request was not in the queue.
pub(super) fn status_changed(change: &Changed<'_>, act: &LogEntry) -> Option<LogEntry> {
    let request = change.request()?;
    let point = request.pickup_service_point_id.and_then(change.points);
    let statuses = (Some(change.status.name()), Some(request.status.name()));
    let words = status_words(point.as_deref(), None, statuses);
    let description = format!("Type: {}. {words}", request.request_type.name());
    Some(LogEntry {
        object: "Request",
        action: "Request status changed",
        description,
        link_to_ids: about(act.link_to_ids.user_id, Some(change.id)),
        record: LogRecord::None,
        ..act.clone()
    })
}

/// A change of status in words.
pub(super) fn status_words(
    point: Option<&str>,
    address: Option<&str>,
    (to, from): (Option<&str>, Option<&str>),
) -> String {
    let mut words = String::new();
    if let Some(point) = point {
        words.push_str(&format!("Pickup service point: {point}. "));
    }
    if let Some(address) = address {
        words.push_str(&format!("Address type: {address}. "));
    }
    if let Some(to) = to {
        words.push_str(&format!("New request status: {to} "));
    }
    if let Some(from) = from {
        words.push_str(&format!("(from: {from})."));
    }
    words
}
