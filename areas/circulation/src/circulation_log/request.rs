//! The log's lines of requests: placed, moved, or changed by a check-out or a check-in.

use octavo_library::{RequestId, RequestStatus, RequestType, ServicePointId, UserId};

use super::{PointNames, about};
use crate::facts::{LogEntry, LogItem, RequestQueue};

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

/// The line of a request that is placed.
#[must_use]
pub fn request_created(request: RequestLine, overridden: bool) -> LogEntry {
    let action = match overridden {
        true => "Created through override",
        false => "Created",
    };
    let description = format!("Type: {}.", request.kind.name());
    line(request, action, description)
}

/// The line of a request that is moved, with the barcodes of both items.
#[must_use]
pub fn request_moved(request: RequestLine, to: Option<&str>, from: Option<&str>) -> LogEntry {
    let mut description = format!("Type: {}.", request.kind.name());
    if let Some(to) = to {
        description.push_str(&format!(" New item barcode: {to}"));
    }
    if let Some(from) = from {
        description.push_str(&format!(" (from: {from})."));
    }
    line(request, "Moved", description)
}

fn line(request: RequestLine, action: &'static str, description: String) -> LogEntry {
    LogEntry {
        object: "Request",
        action,
        user_barcode: request.user_barcode,
        items: vec![request.item],
        service_point_id: request.pickup_service_point_id,
        description,
        link_to_ids: about(request.requester_id, Some(request.id)),
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

/// The line, in addition to that of the operation; `None` when the request was not in the queue.
pub(super) fn status_changed(change: &Changed<'_>, act: &LogEntry) -> Option<LogEntry> {
    let mut requests = change.queue.requests().iter();
    let request = requests.find(|request| request.id == change.id)?;
    let kind = request.request_type.name();
    let mut description = format!("Type: {kind}. ");
    if let Some(point) = request.pickup_service_point_id.and_then(change.points) {
        description.push_str(&format!("Pickup service point: {point}. "));
    }
    let (to, from) = (change.status.name(), request.status.name());
    description.push_str(&format!("New request status: {to} (from: {from})."));
    Some(LogEntry {
        object: "Request",
        action: "Request status changed",
        description,
        link_to_ids: about(act.link_to_ids.user_id, Some(change.id)),
        ..act.clone()
    })
}
