//! The event LOG_RECORD of a line, in the forms of mod-circulation and mod-circulation-storage. Blank texts and what is
//! not known are left out, as there.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_library::{ItemStatus, UserId, wire_time};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::facts::{Item, LogEntry, LogItem, LogRecord};

/// The acts on loans that have an event; consumers drop others.
const ACTS: [&str; 12] = [
    "Declared lost",
    "Renewed",
    "Renewed through override",
    "Recall requested",
    "Claimed returned",
    "Marked as missing",
    "Closed loan",
    "Age to lost",
    "Changed due date",
    "Patron info added",
    "Staff info added",
    "Anonymize",
];

/// The property of a line that holds its event, by the module that publishes it: the database takes it out.
const BY_CIRCULATION: &str = "logRecord";
const BY_FEES: &str = "feeRecord";

/// The event of a line that is written at this time by this operator, with the line's property for it.
#[must_use]
pub fn log_record(
    entry: &LogEntry,
    at: Timestamp,
    operator: Option<UserId>,
) -> Option<(&'static str, Value)> {
    let date = json!(wire_time::format_z(at));
    match &entry.record {
        LogRecord::None => None,
        LogRecord::OfLine => Some((BY_CIRCULATION, of_loan(entry, date, operator)?)),
        LogRecord::Event(record) => {
            let mut record = (**record).clone();
            if is_kind(&record, "NOTICE") {
                record["payload"]["date"] = date;
            }
            for name in ["created", "updated"] {
                if let Some(request) = record.pointer_mut(&format!("/payload/requests/{name}")) {
                    stamp(request, at, operator);
                }
            }
            Some((BY_CIRCULATION, record))
        }
        LogRecord::OfFees(record) => {
            let mut record = (**record).clone();
            // Notices of mod-feesfines have no date.
            if is_kind(&record, "FEE_FINE") {
                record["payload"]["date"] = date;
            }
            Some((BY_FEES, record))
        }
    }
}

fn is_kind(record: &Value, begins: &str) -> bool {
    let kind = record["logEventType"].as_str();
    kind.is_some_and(|kind| kind.starts_with(begins))
}

/// Says of a request who has changed it, as the record does once it is stored.
fn stamp(request: &mut Value, at: Timestamp, operator: Option<UserId>) {
    let date = json!(wire_time::format(at));
    let metadata = &mut request["metadata"];
    for (of, by) in [
        ("createdDate", "createdByUserId"),
        ("updatedDate", "updatedByUserId"),
    ] {
        if of == "updatedDate" || metadata[of].is_null() {
            metadata[of] = date.clone();
            set(metadata, by, operator);
        }
    }
}

fn of_loan(entry: &LogEntry, date: Value, operator: Option<UserId>) -> Option<Value> {
    if entry.object != "Loan" || !ACTS.contains(&entry.action) {
        return None;
    }
    let mut payload = entry.items.first().map_or_else(|| json!({}), item_fields);
    set(&mut payload, "userBarcode", entry.user_barcode.as_deref());
    set(&mut payload, "userId", entry.link_to_ids.user_id);
    payload["action"] = json!(entry.action);
    set(&mut payload, "actionComment", comment(entry));
    payload["date"] = date;
    set(&mut payload, "servicePointId", entry.service_point_id);
    set(&mut payload, "updatedByUserId", operator);
    let description = Some(entry.description.as_str());
    let description = description.filter(|text| !text.trim().is_empty());
    set(&mut payload, "description", description);
    Some(json!({"logEventType": "LOAN", "payload": payload}))
}

/// What staff have said about the act.
fn comment(entry: &LogEntry) -> Option<&str> {
    let text = entry.description.as_str();
    let text = match entry.action {
        "Patron info added" | "Staff info added" => text,
        _ => text.strip_prefix("Additional information: ")?,
    };
    Some(text).filter(|text| !text.trim().is_empty())
}

/// An item as events name it.
pub(super) fn item_fields(item: &LogItem) -> Value {
    let mut fields = json!({});
    set(&mut fields, "itemBarcode", item.item_barcode.as_deref());
    set(&mut fields, "itemId", item.item_id);
    set(&mut fields, "instanceId", item.instance_id);
    set(&mut fields, "holdingsRecordId", item.holding_id);
    set(&mut fields, "loanId", item.loan_id);
    fields
}

/// The beginning of an event of the desk.
pub(super) fn of_item(kind: &str, item: &Item, status: ItemStatus) -> Value {
    let mut fields = json!({
        "logEventType": kind,
        "itemId": item.id,
        "itemStatusName": status,
        "holdingsRecordId": item.holdings_record_id,
        "instanceId": item.instance_id,
    });
    set(&mut fields, "itemBarcode", item.barcode.as_deref());
    fields
}

/// The event of a request. The database adds what it knows of the item.
pub(super) fn of_request(kind: &str, request: &Map<String, Value>, documents: Value) -> Value {
    let mut payload = json!({"requests": documents});
    set(&mut payload, "itemId", request.get("itemId"));
    json!({"logEventType": kind, "payload": payload})
}

/// Sets a property, if there is a value.
pub(super) fn set(fields: &mut Value, name: &str, value: Option<impl Serialize>) {
    if let Some(value) = value {
        fields[name] = json!(value);
    }
}

/// The name of a time zone as clients know it.
pub(super) fn zone_name(zone: &TimeZone) -> Option<&str> {
    zone.iana_name()
}
