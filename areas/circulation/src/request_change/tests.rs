//! Tests of changes and orders.

use jiff::tz::TimeZone;
use octavo_library::{ItemStatus, RequestId, RequestStatus};
use serde_json::{Map, Value, json};

use super::*;
use crate::queue_upkeep::QueueOf;
use crate::refusal::UpkeepRefusal;

const ID: RequestId = RequestId::from_u128(1);

fn map(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

fn request(more: Value) -> Map<String, Value> {
    let mut request = map(
        json!({"id": ID, "requestLevel": "Item", "requestType": "Hold",
        "requestDate": "2026-02-02T10:00:00Z", "requesterId": RequestId::from_u128(2),
        "instanceId": RequestId::from_u128(3), "holdingsRecordId": RequestId::from_u128(4),
        "itemId": RequestId::from_u128(5), "status": "Open - Not yet filled", "position": 2,
        "pickupServicePointId": RequestId::from_u128(6), "fulfillmentPreference": "Hold Shelf"}),
    );
    request.extend(map(more));
    request
}

fn changed(stored: &Map<String, Value>, sent: Value) -> Result<ChangePlan, UpkeepRefusal> {
    let zone = TimeZone::get("Europe/Berlin").expect("a zone");
    let point = json!({"pickupLocation": true});
    let facts = ChangeFacts {
        id: ID,
        stored: Some(stored),
        titles: false,
        proxy_acts: false,
        pickup: Some(&point),
        reason_exists: true,
        zone: &zone,
    };
    let sent = request(sent);
    let status = status_of(&sent).expect("a status");
    decide(&sent, status, &facts).map(|plan| plan.expect("the request is stored"))
}

#[test]
fn a_change_ends_at_the_end_of_a_day_and_keeps_what_is_not_its_own() {
    let stored = request(json!({}));
    let sent = json!({"position": 9, "itemId": ID, "requestType": "Page",
        "requestExpirationDate": "2026-07-01T22:30:00Z", "requester": {"barcode": "x"},
        "requestProcessingParameters": {}});
    let plan = changed(&stored, sent).expect("a plan");
    // Past midnight in Berlin.
    let end = json!("2026-07-02T21:59:59.000+00:00");
    assert_eq!(plan.document["requestExpirationDate"], end);
    for name in ["position", "itemId", "requestType"] {
        assert_eq!(plan.document[name], stored[name], "{name}");
    }
    for name in ["requester", "requestProcessingParameters"] {
        assert!(!plan.document.contains_key(name), "{name}");
    }
    assert!(!plan.leaves && !plan.cancelled);
}

#[test]
fn who_closes_a_request_takes_it_from_its_queue() {
    let stored = request(json!({"status": "Open - Awaiting pickup"}));
    for (status, cancelled) in [("Closed - Cancelled", true), ("closed - filled", false)] {
        let plan = changed(&stored, json!({"status": status})).expect("a plan");
        assert!(plan.leaves && !plan.document.contains_key("position"));
        assert_eq!(plan.cancelled, cancelled, "{status}");
    }
    let plan = changed(&stored, json!({})).expect("a plan");
    assert_eq!(plan.document["status"], "Open - Awaiting pickup");
    let closed = request(json!({"status": "Closed - Unfilled"}));
    let refused = changed(&closed, json!({}));
    assert_eq!(refused, Err(UpkeepRefusal::AlreadyClosed { id: ID }));
}

#[test]
fn an_item_is_available_when_nobody_wants_it_any_more() {
    let page = request(json!({"requestType": "Page", "status": "Closed - Cancelled"}));
    let open = request(json!({"requestType": "Page"}));
    for (request, before, others, after) in [
        (&page, ItemStatus::Paged, false, Some(ItemStatus::Available)),
        (&page, ItemStatus::Paged, true, None),
        (&page, ItemStatus::AwaitingPickup, false, None),
        (&page, ItemStatus::Available, false, None),
        (&open, ItemStatus::Paged, false, None),
        (&open, ItemStatus::Available, false, Some(ItemStatus::Paged)),
    ] {
        assert_eq!(
            item_status_after(request, before, others),
            after,
            "{before}"
        );
    }
}

fn queue(statuses: &[(&str, &str)]) -> Vec<(RequestId, Map<String, Value>)> {
    (1..)
        .zip(statuses)
        .map(|(place, (kind, status))| {
            let request = json!({"position": place, "requestType": kind, "status": status});
            (RequestId::from_u128(place), map(request))
        })
        .collect()
}

fn wanted(order: &[u128]) -> Vec<WantedPosition> {
    let order = (1..).zip(order);
    order
        .map(|(place, id)| WantedPosition {
            id: Some(RequestId::from_u128(*id)),
            place: Some(place),
        })
        .collect()
}

#[test]
fn only_places_that_change_are_given() {
    let waiting = ("Hold", RequestStatus::NotYetFilled.name());
    let queue = queue(&[waiting; 4]);
    let places = reorder(QueueOf::Item, &queue, &wanted(&[1, 4, 3, 2])).expect("an order");
    let id = RequestId::from_u128;
    assert_eq!(places, [(id(2), 4), (id(4), 2)]);
    assert_eq!(
        reorder(QueueOf::Item, &queue, &wanted(&[1, 2, 3, 4])),
        Ok(vec![])
    );
    for order in [&[1, 2, 3][..], &[1, 2, 3, 3], &[1, 2, 3, 5]] {
        let refused = reorder(QueueOf::Item, &queue, &wanted(order));
        assert_eq!(refused, Err(UpkeepRefusal::Inconsistent), "{order:?}");
    }
    let mut gap = wanted(&[1, 2, 3, 4]);
    gap[3].place = Some(5);
    let refused = reorder(QueueOf::Item, &queue, &gap);
    assert_eq!(refused, Err(UpkeepRefusal::NotSequential));
}

#[test]
fn who_gets_an_item_stays_in_front() {
    let (waits, comes) = ("Open - Not yet filled", "Open - In transit");
    let one = queue(&[("Hold", comes), ("Hold", waits)]);
    let refused = reorder(QueueOf::Item, &one, &wanted(&[2, 1]));
    assert_eq!(refused, Err(UpkeepRefusal::FilledDisplaced));
    let page = queue(&[("Page", waits), ("Hold", waits)]);
    let refused = reorder(QueueOf::Item, &page, &wanted(&[2, 1]));
    assert_eq!(refused, Err(UpkeepRefusal::PageDisplaced));
    assert!(reorder(QueueOf::Title, &page, &wanted(&[2, 1])).is_ok());
    let two = queue(&[("Hold", comes), ("Page", comes), ("Hold", waits)]);
    assert!(reorder(QueueOf::Title, &two, &wanted(&[2, 1, 3])).is_ok());
    let refused = reorder(QueueOf::Title, &two, &wanted(&[1, 3, 2]));
    assert_eq!(refused, Err(UpkeepRefusal::FilledDisplacedFromTop));
}
