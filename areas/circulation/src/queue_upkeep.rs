//! Decisions about whole queues: which requests have expired, and the others' new positions. Documents
//! in, changes out; nothing here reads or writes.

use jiff::Timestamp;
use octavo_library::{RequestId, RequestStatus, wire_time};
use serde_json::{Map, Value};
use uuid::Uuid;

/// Whether a queue belongs to an item or to a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueOf {
    /// The item's.
    Item,
    /// The title's.
    Title,
}

impl QueueOf {
    /// The property of a request that names its queue.
    #[must_use]
    pub fn property(self) -> &'static str {
        match self {
            QueueOf::Item => "itemId",
            QueueOf::Title => "instanceId",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Queue {
    /// Whose it is.
    pub of: QueueOf,
    /// The item or the title.
    pub id: Uuid,
}

/// The closed status of an expired request; `None` if it has not expired.
#[must_use]
pub fn expired(request: &Map<String, Value>, now: Timestamp) -> Option<RequestStatus> {
    let text = |name: &str| request.get(name).and_then(Value::as_str);
    let over = |name: &str| {
        text(name)
            .and_then(wire_time::parse)
            .is_some_and(|at| at < now)
    };
    match RequestStatus::of(request)? {
        RequestStatus::AwaitingPickup => {
            over("holdShelfExpirationDate").then_some(RequestStatus::PickupExpired)
        }
        status if status.is_open() => {
            over("requestExpirationDate").then_some(RequestStatus::Unfilled)
        }
        _ => None,
    }
}

/// Renumbers the requests of a queue from 1, those without a position last; returns only changes.
#[must_use]
pub fn renumbered<'a>(
    queue: impl IntoIterator<Item = (RequestId, &'a Map<String, Value>)>,
) -> Vec<(RequestId, i64)> {
    let place = |request: &Map<String, Value>| request.get("position").and_then(Value::as_i64);
    let mut queue: Vec<(Option<i64>, RequestId)> = queue
        .into_iter()
        .map(|(id, request)| (place(request), id))
        .collect();
    queue.sort_by_key(|(place, _)| place.unwrap_or(i64::MAX));
    (1..)
        .zip(queue)
        .filter(|(new, (old, _))| *old != Some(*new))
        .map(|(new, (_, id))| (id, new))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request(value: Value) -> Map<String, Value> {
        value.as_object().cloned().expect("an object")
    }

    #[test]
    fn each_kind_of_open_request_has_its_own_end() {
        let now = "2026-03-01T00:00:00Z".parse().expect("an instant");
        let (before, after) = ("2026-02-28T23:59:59Z", "2026-03-01T00:00:00Z");
        for (status, request_end, shelf_end, expected) in [
            (
                "Open - Not yet filled",
                before,
                after,
                Some(RequestStatus::Unfilled),
            ),
            (
                "Open - In transit",
                before,
                after,
                Some(RequestStatus::Unfilled),
            ),
            (
                "Open - Awaiting delivery",
                before,
                after,
                Some(RequestStatus::Unfilled),
            ),
            ("Open - Not yet filled", after, before, None),
            (
                "Open - Awaiting pickup",
                after,
                before,
                Some(RequestStatus::PickupExpired),
            ),
            ("Open - Awaiting pickup", before, after, None),
            ("Closed - Filled", before, before, None),
        ] {
            let request = request(
                json!({"status": status, "requestExpirationDate": request_end,
                                         "holdShelfExpirationDate": shelf_end}),
            );
            assert_eq!(expired(&request, now), expected, "{status}");
        }
        assert_eq!(
            expired(&request(json!({"status": "Open - In transit"})), now),
            None
        );
        assert_eq!(expired(&request(json!({})), now), None);
    }

    #[test]
    fn a_queue_is_numbered_without_gaps_in_its_order() {
        let id = RequestId::from_u128;
        let requests = [
            (id(1), request(json!({"position": 4}))),
            (id(2), request(json!({"position": 1}))),
            (id(3), request(json!({}))),
            (id(4), request(json!({"position": 2}))),
        ];
        let queue = requests.iter().map(|(id, request)| (*id, request));
        assert_eq!(renumbered(queue), [(id(1), 3), (id(3), 4)]);
        assert_eq!(renumbered([]), []);
    }
}
