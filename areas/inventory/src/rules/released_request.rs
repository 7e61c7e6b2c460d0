//! The change of the request that an item was to fill when staff mark the item otherwise: it is
//! reopened, unless its hold shelf period has expired.

use jiff::Timestamp;
use octavo_library::RequestStatus;
use octavo_records::instant;
use serde_json::{Map, Value};

/// The statuses of a request with an assigned item. An item has at most one such request.
pub const BEING_FILLED: [RequestStatus; 3] = [
    RequestStatus::AwaitingPickup,
    RequestStatus::AwaitingDelivery,
    RequestStatus::InTransit,
];

/// The reopened request; `None` when it stays as it is.
#[must_use]
pub fn released(request: &Map<String, Value>, now: Timestamp) -> Option<Map<String, Value>> {
    let text = |property: &str| request.get(property).and_then(Value::as_str);
    if !RequestStatus::of(request).is_some_and(|status| BEING_FILLED.contains(&status)) {
        return None;
    }
    let until = text("holdShelfExpirationDate").and_then(instant::parse);
    if until.is_some_and(|until| until < now) {
        return None;
    }
    let mut released = request.clone();
    released.insert("status".to_owned(), RequestStatus::NotYetFilled.into());
    Some(released)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn now() -> Timestamp {
        "2026-03-01T12:00:00Z".parse().expect("an instant")
    }

    fn request(value: Value) -> Map<String, Value> {
        value.as_object().cloned().expect("an object")
    }

    #[test]
    fn a_request_that_is_being_filled_is_open_again() {
        for status in BEING_FILLED {
            let held = request(json!({"status": status, "position": 1}));
            let open = request(json!({"status": "Open - Not yet filled", "position": 1}));
            assert_eq!(released(&held, now()), Some(open), "{status}");
        }
        for status in ["Open - Not yet filled", "Closed - Filled"] {
            assert_eq!(released(&request(json!({"status": status})), now()), None);
        }
    }

    #[test]
    fn one_whose_time_on_the_shelf_is_over_stays() {
        let held = |until: &str| {
            request(json!({"status": "Open - Awaiting pickup", "holdShelfExpirationDate": until}))
        };
        assert_eq!(
            released(&held("2026-03-01T11:59:59.999+00:00"), now()),
            None
        );
        assert!(released(&held("2026-03-01T12:00:00.000+00:00"), now()).is_some());
    }
}
