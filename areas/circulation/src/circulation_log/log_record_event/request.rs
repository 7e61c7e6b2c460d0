//! Requests: whole, as they were and as they are.

use octavo_library::{ItemId, RequestType, UserId, id_in};
use serde_json::{Map, Value};

use super::{EventLine, Known, SYSTEM, Unfit, Wanted, object, owned, text};
use crate::circulation_log::{RequestLine, log_of_request, request_created, request_moved};
use crate::facts::{LogEntry, LogItem};
use crate::request_change::{RequestAct, RequestChanged};

/// What happened to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Created { overridden: bool },
    Updated,
    Moved,
    Reordered,
    Expired,
}

/// What happened, by the event's type.
pub(super) fn act(kind: &str) -> Option<Act> {
    Some(match kind {
        "REQUEST_CREATED_EVENT" => Act::Created { overridden: false },
        "REQUEST_CREATED_THROUGH_OVERRIDE_EVENT" => Act::Created { overridden: true },
        "REQUEST_UPDATED_EVENT" => Act::Updated,
        "REQUEST_MOVED_EVENT" => Act::Moved,
        "REQUEST_REORDERED_EVENT" => Act::Reordered,
        "REQUEST_EXPIRED_EVENT" => Act::Expired,
        _ => return None,
    })
}

fn requests(payload: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    let all = object(payload, "requests");
    let single = ["created", "original", "updated"];
    let single = single.into_iter().filter_map(|name| all.get(name));
    let listed = all.get("reordered").and_then(Value::as_array);
    single
        .chain(listed.into_iter().flatten())
        .filter_map(Value::as_object)
}

fn actor(request: &Map<String, Value>) -> Option<UserId> {
    id_in(object(request, "metadata"), "updatedByUserId")
}

pub(super) fn wanted(payload: &Map<String, Value>, wanted: &mut Wanted) {
    for request in requests(payload) {
        wanted.users.extend(id_in::<UserId>(request, "requesterId"));
        wanted.users.extend(actor(request));
        wanted.items.extend(id_in::<ItemId>(request, "itemId"));
        let reason = id_in(request, "cancellationReasonId");
        wanted.cancellation_reason = reason.or(wanted.cancellation_reason);
    }
}

pub(super) fn lines(
    kind: &str,
    payload: &Map<String, Value>,
    known: &Known,
) -> Result<Vec<EventLine>, Unfit> {
    let all = object(payload, "requests");
    let of = |name: &'static str| match all.get(name).and_then(Value::as_object) {
        Some(request) => Ok(request),
        None => Err(Unfit::Lacks("the request")),
    };
    match act(kind).ok_or(Unfit::Kind)? {
        Act::Created { overridden } => {
            let request = of("created")?;
            let entry = request_created(line(request, known)?, overridden, request);
            Ok(vec![event_line(entry, request, known)])
        }
        Act::Moved => {
            let (before, after) = (of("original")?, of("updated")?);
            let barcode = |request| text(object(request, "item"), "barcode");
            let barcodes = (barcode(after), barcode(before));
            let entry = request_moved(line(after, known)?, barcodes, (before, after));
            Ok(vec![event_line(entry, after, known)])
        }
        Act::Updated => {
            let (before, after) = (of("original")?, of("updated")?);
            let act = match text(after, "status") {
                Some("Closed - Cancelled") => RequestAct::Cancelled,
                _ => RequestAct::Edited,
            };
            let entry = log_of_request(&changed(act, before, after, known)?);
            Ok(vec![event_line(entry, after, known)])
        }
        Act::Expired => {
            let (before, after) = (of("original")?, of("updated")?);
            let entry = log_of_request(&changed(RequestAct::Expired, before, after, known)?);
            let mut line = event_line(entry, after, known);
            line.source = Some(SYSTEM.to_owned());
            Ok(vec![line])
        }
        Act::Reordered => {
            let mut lines = Vec::new();
            for after in requests(payload) {
                let mut before = after.clone();
                before.insert(
                    "position".to_owned(),
                    after.get("previousPosition").cloned().unwrap_or_default(),
                );
                let changed = changed(RequestAct::Reordered, &before, after, known)?;
                lines.push(event_line(log_of_request(&changed), after, known));
            }
            Ok(lines)
        }
    }
}

fn event_line(entry: LogEntry, request: &Map<String, Value>, known: &Known) -> EventLine {
    EventLine {
        entry,
        source: known.name(actor(request)),
        date: None,
    }
}

fn line(request: &Map<String, Value>, known: &Known) -> Result<RequestLine, Unfit> {
    let kind = text(request, "requestType").and_then(RequestType::named);
    Ok(RequestLine {
        id: id_in(request, "id").ok_or(Unfit::Lacks("the request's id"))?,
        kind: kind.ok_or(Unfit::Lacks("the request's type"))?,
        requester_id: id_in(request, "requesterId"),
        user_barcode: barcode(request, known),
        pickup_service_point_id: id_in(request, "pickupServicePointId"),
        item: item(request, known),
    })
}

fn changed(
    act: RequestAct,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    known: &Known,
) -> Result<RequestChanged, Unfit> {
    Ok(RequestChanged {
        act,
        id: id_in(after, "id").ok_or(Unfit::Lacks("the request's id"))?,
        before: before.clone(),
        after: after.clone(),
        user_barcode: barcode(after, known),
        item: item(after, known),
        reason: known.cancellation_reason.clone(),
    })
}

fn barcode(request: &Map<String, Value>, known: &Known) -> Option<String> {
    let now = known.barcode(id_in(request, "requesterId"));
    now.or_else(|| owned(object(request, "requester"), "barcode"))
}

fn item(request: &Map<String, Value>, known: &Known) -> LogItem {
    known.item(LogItem {
        item_barcode: owned(object(request, "item"), "barcode"),
        item_id: id_in(request, "itemId"),
        instance_id: id_in(request, "instanceId"),
        holding_id: id_in(request, "holdingsRecordId"),
        loan_id: None,
    })
}
