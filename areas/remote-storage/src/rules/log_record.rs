//! What an event of the circulation log means for a storage.

use serde_json::{Map, Value};

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning<'a> {
    Nothing,
    /// A page of an item: the request as the event tells it.
    Page {
        barcode: &'a str,
        request: &'a Map<String, Value>,
    },
    /// An item was checked in.
    CheckedIn {
        barcode: &'a str,
    },
}

/// The meaning of an event.
#[must_use]
pub fn meaning(event: &Value) -> Meaning<'_> {
    let requests = &event["payload"]["requests"];
    let is_page = |request: &Value| request["requestType"] == "Page";
    let request = match event["logEventType"].as_str() {
        Some("CHECK_IN_EVENT") => {
            let barcode = event["itemBarcode"].as_str().unwrap_or_default();
            return Meaning::CheckedIn { barcode };
        }
        Some("REQUEST_CREATED_EVENT" | "REQUEST_CREATED_THROUGH_OVERRIDE_EVENT") => {
            Some(&requests["created"]).filter(|request| is_page(request))
        }
        Some("REQUEST_UPDATED_EVENT" | "REQUEST_MOVED_EVENT") => {
            let was = &requests["original"]["requestType"];
            let updated = &requests["updated"];
            Some(updated).filter(|request| is_page(request) && *was != "Page")
        }
        _ => None,
    };
    match request.and_then(Value::as_object) {
        Some(request) => Meaning::Page {
            barcode: event["payload"]["itemBarcode"].as_str().unwrap_or_default(),
            request,
        },
        None => Meaning::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request_event(kind: &str, was: Option<&str>, is: &str) -> Value {
        let requests = match was {
            None => json!({"created": {"requestType": is}}),
            Some(was) => json!({"original": {"requestType": was}, "updated": {"requestType": is}}),
        };
        json!({"logEventType": kind, "payload": {"itemBarcode": "1", "requests": requests}})
    }

    #[test]
    fn only_what_becomes_a_page_is_to_be_sent() {
        for (kind, was, is, expected) in [
            ("REQUEST_CREATED_EVENT", None, "Page", true),
            ("REQUEST_CREATED_THROUGH_OVERRIDE_EVENT", None, "Page", true),
            ("REQUEST_CREATED_EVENT", None, "Hold", false),
            ("REQUEST_UPDATED_EVENT", Some("Hold"), "Page", true),
            ("REQUEST_MOVED_EVENT", Some("Recall"), "Page", true),
            ("REQUEST_MOVED_EVENT", Some("Page"), "Page", false),
            ("REQUEST_UPDATED_EVENT", Some("Page"), "Hold", false),
            ("REQUEST_REORDERED_EVENT", Some("Hold"), "Page", false),
            ("LOAN", None, "Page", false),
        ] {
            let event = request_event(kind, was, is);
            let is_page = matches!(meaning(&event), Meaning::Page { barcode: "1", .. });
            assert_eq!(is_page, expected, "{kind} {was:?} {is}");
        }
        let event = json!({"logEventType": "CHECK_IN_EVENT", "itemBarcode": "7"});
        assert_eq!(meaning(&event), Meaning::CheckedIn { barcode: "7" });
        let bare = json!({"logEventType": "REQUEST_CREATED_EVENT"});
        assert_eq!(meaning(&bare), Meaning::Nothing);
    }
}
