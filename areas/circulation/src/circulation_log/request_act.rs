//! The log line of a request that was edited, cancelled, reordered or expired.

use octavo_library::id_in;
use serde_json::{Map, Value, json};

use super::log_record::of_request;
use crate::facts::{LogEntry, LogLinks, LogRecord};
use crate::request_change::{RequestAct, RequestChanged};

/// The line.
#[must_use]
pub fn log_of_request(changed: &RequestChanged) -> LogEntry {
    let expired = text(&changed.after, "status") == Some("Closed - Pickup expired");
    LogEntry {
        object: "Request",
        action: match changed.act {
            RequestAct::Edited => "Edited",
            RequestAct::Cancelled => "Cancelled",
            RequestAct::Expired if expired => "Pickup expired",
            RequestAct::Expired => "Expired",
            RequestAct::Reordered => "Queue position reordered",
        },
        user_barcode: changed.user_barcode.clone(),
        items: vec![changed.item.clone()],
        service_point_id: id_in(&changed.after, "pickupServicePointId"),
        description: description(changed),
        link_to_ids: LogLinks {
            user_id: id_in(&changed.after, "requesterId"),
            request_id: Some(changed.id),
            ..LogLinks::default()
        },
        record: record(changed),
    }
}

/// The lines of a queue that is reordered; one event is about all of it.
#[must_use]
pub fn log_of_queue(changed: &[RequestChanged]) -> Vec<LogEntry> {
    let mut lines: Vec<LogEntry> = changed.iter().map(log_of_request).collect();
    if let (Some(first), Some(line)) = (changed.first(), lines.first_mut()) {
        let reordered: Vec<Value> = changed.iter().map(reordered).collect();
        let documents = json!({"reordered": reordered});
        let record = of_request("REQUEST_REORDERED_EVENT", &first.after, documents);
        line.record = LogRecord::Event(Box::new(record));
    }
    lines
}

fn reordered(changed: &RequestChanged) -> Value {
    let mut request = changed.after.clone();
    if let Some(place) = changed.before.get("position") {
        request.insert("previousPosition".to_owned(), place.clone());
    }
    Value::Object(request)
}

/// A cancellation is an update like others.
fn record(changed: &RequestChanged) -> LogRecord {
    let (before, after) = (&changed.before, &changed.after);
    let documents = json!({"original": before, "updated": after});
    let record = match changed.act {
        // It is in the event of its queue.
        RequestAct::Reordered => return LogRecord::None,
        RequestAct::Expired => {
            json!({"logEventType": "REQUEST_EXPIRED_EVENT", "payload": {"requests": documents}})
        }
        RequestAct::Edited | RequestAct::Cancelled => {
            of_request("REQUEST_UPDATED_EVENT", after, documents)
        }
    };
    LogRecord::Event(Box::new(record))
}

fn description(changed: &RequestChanged) -> String {
    let (before, after) = (&changed.before, &changed.after);
    let mut event = format!("Type: {}.", text(after, "requestType").unwrap_or_default());
    match changed.act {
        RequestAct::Cancelled => {
            if let Some(reason) = &changed.reason {
                event.push_str(&format!(" Reason for cancellation: {reason}."));
            }
            if let Some(more) = text(after, "cancellationAdditionalInformation") {
                event.push_str(&format!(" Additional information: {more}."));
            }
        }
        RequestAct::Expired => {
            let (to, from) = (text(after, "status"), text(before, "status"));
            let (to, from) = (to.unwrap_or_default(), from.unwrap_or_default());
            event.push_str(&format!(" New request status: {to} (from: {from})."));
        }
        RequestAct::Reordered => {
            let place = |of: &Map<String, Value>| {
                let place = of.get("position").and_then(Value::as_i64);
                place.map_or_else(|| "-".to_owned(), |place| place.to_string())
            };
            let (to, from) = (place(after), place(before));
            event.push_str(&format!(" New queue position: {to} (from: {from})."));
        }
        RequestAct::Edited => event.push_str(&edited(before, after)),
    }
    event
}

/// The description of an edit.
fn edited(before: &Map<String, Value>, after: &Map<String, Value>) -> String {
    let point = |of: &Map<String, Value>| {
        let search = of.get("searchIndex").and_then(Value::as_object);
        search.and_then(|search| text(search, "pickupServicePointName").map(str::to_owned))
    };
    let plain = |of: &Map<String, Value>, name: &str| text(of, name).map(str::to_owned);
    let parts = [
        (
            "expiration date",
            plain(before, "requestExpirationDate"),
            plain(after, "requestExpirationDate"),
        ),
        (
            "hold shelf expiration date",
            plain(before, "holdShelfExpirationDate"),
            plain(after, "holdShelfExpirationDate"),
        ),
        (
            "fulfilment preference",
            plain(before, "fulfillmentPreference"),
            plain(after, "fulfillmentPreference"),
        ),
        ("pickup service point", point(before), point(after)),
        (
            "request status",
            plain(before, "status"),
            plain(after, "status"),
        ),
    ];
    let mut event = String::new();
    for (name, from, to) in parts {
        if from != to {
            let (from, to) = (from.as_deref(), to.as_deref());
            let (from, to) = (from.unwrap_or("-"), to.unwrap_or("-"));
            event.push_str(&format!(" New {name}: {to} (from: {from})."));
        }
    }
    event
}

fn text<'d>(document: &'d Map<String, Value>, name: &str) -> Option<&'d str> {
    document.get(name).and_then(Value::as_str)
}
