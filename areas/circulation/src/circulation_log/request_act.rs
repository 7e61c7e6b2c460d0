//! The log line of a request that was edited, cancelled, reordered or expired.

use octavo_library::id_in;
use serde_json::{Map, Value};

use crate::facts::{LogEntry, LogLinks};
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
    }
}

fn description(changed: &RequestChanged) -> String {
    let (before, after) = (&changed.before, &changed.after);
    let mut told = format!("Type: {}.", text(after, "requestType").unwrap_or_default());
    match changed.act {
        RequestAct::Cancelled => {
            if let Some(reason) = &changed.reason {
                told.push_str(&format!(" Reason for cancellation: {reason}."));
            }
            if let Some(more) = text(after, "cancellationAdditionalInformation") {
                told.push_str(&format!(" Additional information: {more}."));
            }
        }
        RequestAct::Expired => {
            let (to, from) = (text(after, "status"), text(before, "status"));
            let (to, from) = (to.unwrap_or_default(), from.unwrap_or_default());
            told.push_str(&format!(" New request status: {to} (from: {from})."));
        }
        RequestAct::Reordered => {
            let place = |of: &Map<String, Value>| {
                let place = of.get("position").and_then(Value::as_i64);
                place.map_or_else(|| "-".to_owned(), |place| place.to_string())
            };
            let (to, from) = (place(after), place(before));
            told.push_str(&format!(" New queue position: {to} (from: {from})."));
        }
        RequestAct::Edited => told.push_str(&edited(before, after)),
    }
    told
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
    let mut told = String::new();
    for (name, from, to) in parts {
        if from != to {
            let (from, to) = (from.as_deref(), to.as_deref());
            let (from, to) = (from.unwrap_or("-"), to.unwrap_or("-"));
            told.push_str(&format!(" New {name}: {to} (from: {from})."));
        }
    }
    told
}

fn text<'d>(document: &'d Map<String, Value>, name: &str) -> Option<&'d str> {
    document.get(name).and_then(Value::as_str)
}
