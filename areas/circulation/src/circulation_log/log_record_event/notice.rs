//! Notices that were sent, or not.

use octavo_library::{UserId, id_in};
use serde_json::{Map, Value};

use super::{EventLine, Known, SYSTEM, Wanted, item, owned, text};
use crate::circulation_log::notice::notice_words;
use crate::facts::{LogEntry, LogItem, LogLinks, LogRecord};

const UNKNOWN: &str = "unknown";

pub(super) fn wanted(payload: &Map<String, Value>, wanted: &mut Wanted) {
    wanted.user_barcode = owned(payload, "userBarcode");
    if wanted.user_barcode.is_none() {
        wanted.users.extend(id_in::<UserId>(payload, "userId"));
    }
    wanted.template = first(payload).and_then(|item| id_in(item, "templateId"));
}

pub(super) fn lines(kind: &str, payload: &Map<String, Value>, known: &Known) -> Vec<EventLine> {
    let of = |name: &str| first(payload).and_then(|item| text(item, name));
    let trigger = of("triggeringEvent").unwrap_or(UNKNOWN);
    let template = known.template.as_deref().unwrap_or(UNKNOWN);
    let mut description = notice_words(template, trigger);
    let is_error = kind == "NOTICE_ERROR";
    if is_error {
        let reason = text(payload, "errorMessage").unwrap_or(UNKNOWN);
        description.push_str(&format!(" Error message: {reason}"));
    }
    let named = id_in::<UserId>(payload, "userId");
    let user = known.of_barcode.as_ref().map(|person| person.id).or(named);
    let barcode = owned(payload, "userBarcode").or_else(|| known.barcode(user));
    let id = |name: &str| first(payload).and_then(|item| id_in(item, name));
    let entry = LogEntry {
        object: "Notice",
        action: if is_error { "Send error" } else { "Send" },
        user_barcode: barcode,
        items: items(payload),
        service_point_id: id("servicePointId").map(|id: uuid::Uuid| id.into()),
        description,
        link_to_ids: LogLinks {
            user_id: user,
            request_id: id_in(payload, "requestId").or_else(|| id_in(payload, "id")),
            fee_fine_id: id_in(payload, "accountId"),
            template_id: id("templateId").map(Into::into),
            notice_policy_id: id("noticePolicyId").map(Into::into),
        },
        record: LogRecord::None,
    };
    vec![EventLine {
        entry,
        source: Some(SYSTEM.to_owned()),
        date: None,
    }]
}

fn all(payload: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    let all = payload.get("items").and_then(Value::as_array);
    all.into_iter().flatten().filter_map(Value::as_object)
}

fn first(payload: &Map<String, Value>) -> Option<&Map<String, Value>> {
    all(payload).next()
}

fn items(payload: &Map<String, Value>) -> Vec<LogItem> {
    all(payload).map(item).collect()
}
