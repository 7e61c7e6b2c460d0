//! Check-ins and check-outs: all properties on one level, and a line for each request that changes.

use jiff::tz::TimeZone;
use octavo_library::{id_in, wire_time};
use serde_json::{Map, Value};

use super::{EventLine, item, owned, text};
use crate::circulation_log::about;
use crate::circulation_log::check_in::{Ended, end_words};
use crate::circulation_log::check_out::proxy_words;
use crate::circulation_log::request::status_words;
use crate::facts::{LogEntry, LogRecord};

/// The lines of a check-in: the item, the loan that it ends, the requests.
pub(super) fn check_in(event: &Map<String, Value>) -> Vec<EventLine> {
    let status = text(event, "itemStatusName").unwrap_or_default();
    let mut description = format!("Item status: {status}");
    let is_sent = status.eq_ignore_ascii_case("In transit");
    if let Some(point) = text(event, "destinationServicePoint").filter(|_| is_sent) {
        description.push_str(&format!(" to {point}"));
    }
    description.push('.');
    let taken = line(event, ("N/A", "Checked in"), description);
    let is_closed = event.get("isLoanClosed").and_then(Value::as_bool);
    let closed = is_closed.unwrap_or_default().then(|| {
        let words = end_of(event, status);
        line(event, ("Loan", "Closed loan"), words)
    });
    let first = std::iter::once(taken).chain(closed);
    first.chain(requests(event)).collect()
}

fn end_of(event: &Map<String, Value>, status: &str) -> String {
    let at = |name: &str| text(event, name).and_then(wire_time::parse);
    let zone = text(event, "zoneId").and_then(|zone| TimeZone::get(zone).ok());
    let returned = at("returnDate");
    end_words(&Ended {
        status,
        claim: text(event, "claimedReturnedResolution"),
        returned,
        noted: at("systemReturnDate").or(returned),
        due: at("dueDate"),
        zone: &zone.unwrap_or(TimeZone::UTC),
    })
}

/// The lines of a check-out: the loan, the requests.
pub(super) fn check_out(kind: &str, event: &Map<String, Value>) -> Vec<EventLine> {
    let action = match kind {
        "CHECK_OUT_THROUGH_OVERRIDE_EVENT" => "Checked out through override",
        _ => "Checked out",
    };
    let words = proxy_words(text(event, "proxyBarcode"));
    let lent = line(event, ("Loan", action), words);
    std::iter::once(lent).chain(requests(event)).collect()
}

fn requests(event: &Map<String, Value>) -> Vec<EventLine> {
    let all = event.get("requests").and_then(Value::as_array);
    let each = all.into_iter().flatten().filter_map(Value::as_object);
    each.map(|request| {
        let mut words = String::new();
        if let Some(kind) = text(request, "requestType") {
            words.push_str(&format!("Type: {kind}. "));
        }
        words.push_str(&status_words(
            text(request, "pickUpServicePoint"),
            text(request, "addressType"),
            (
                text(request, "newRequestStatus"),
                text(request, "oldRequestStatus"),
            ),
        ));
        let mut line = line(event, ("Request", "Request status changed"), words);
        line.entry.link_to_ids.request_id = id_in(request, "id");
        line
    })
    .collect()
}

fn line(
    event: &Map<String, Value>,
    (object, action): (&'static str, &'static str),
    description: String,
) -> EventLine {
    EventLine {
        entry: LogEntry {
            object,
            action,
            user_barcode: owned(event, "userBarcode"),
            items: vec![item(event)],
            service_point_id: id_in(event, "servicePointId"),
            description,
            link_to_ids: about(id_in(event, "userId"), None),
            record: LogRecord::None,
        },
        source: owned(event, "source"),
        date: None,
    }
}
