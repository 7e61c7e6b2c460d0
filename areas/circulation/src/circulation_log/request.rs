//! The log's line of a request whose status changes because of a check-out or a check-in.

use uuid::Uuid;

use super::{PointNames, about};
use crate::facts::{LogEntry, RequestQueue, RequestStatus, RequestType};

/// A request that changes.
pub(super) struct Changed<'a> {
    /// The request.
    pub id: Uuid,
    /// Its new status.
    pub status: RequestStatus,
    /// The requests as they were before.
    pub queue: &'a RequestQueue,
    /// The names of service points.
    pub points: PointNames<'a>,
}

/// The line, beside that of the act; none when the request was not in the queue.
pub(super) fn status_changed(change: &Changed<'_>, act: &LogEntry) -> Option<LogEntry> {
    let mut requests = change.queue.requests().iter();
    let request = requests.find(|request| request.id == change.id)?;
    let kind = match request.request_type {
        RequestType::Hold => "Hold",
        RequestType::Recall => "Recall",
        RequestType::Page => "Page",
    };
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
