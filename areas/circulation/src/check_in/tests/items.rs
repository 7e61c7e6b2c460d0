//! Items' destinations, their records, and refusals.

use octavo_library::{ItemStatus, LoanAction};

use super::*;

#[test]
fn items_go_where_they_are_wanted_or_belong() {
    let pickup = |at: Uuid| Some(queued(1, json!({"pickupServicePointId": at})));
    let delivery = || {
        Some(queued(
            1,
            json!({"fulfillmentPreference": "Delivery", "pickupServicePointId": null}),
        ))
    };
    // Handed in at, request, item status, destination, request status.
    let table = [
        (HOME, None, ItemStatus::Available, None, None),
        (BRANCH, None, ItemStatus::Available, None, None),
        (AWAY, None, ItemStatus::InTransit, Some(HOME), None),
        (
            HOME,
            pickup(HOME.uuid()),
            ItemStatus::AwaitingPickup,
            None,
            Some("Open - Awaiting pickup"),
        ),
        (
            AWAY,
            pickup(AWAY.uuid()),
            ItemStatus::AwaitingPickup,
            None,
            Some("Open - Awaiting pickup"),
        ),
        (
            HOME,
            pickup(BRANCH.uuid()),
            ItemStatus::InTransit,
            Some(BRANCH),
            Some("Open - In transit"),
        ),
        (
            AWAY,
            pickup(HOME.uuid()),
            ItemStatus::InTransit,
            Some(HOME),
            Some("Open - In transit"),
        ),
        (
            HOME,
            delivery(),
            ItemStatus::AwaitingDelivery,
            None,
            Some("Open - Awaiting delivery"),
        ),
        (
            AWAY,
            delivery(),
            ItemStatus::AwaitingDelivery,
            None,
            Some("Open - Awaiting delivery"),
        ),
    ];
    let before = [
        ItemStatus::CheckedOut,
        ItemStatus::Available,
        ItemStatus::InTransit,
        ItemStatus::Paged,
        ItemStatus::Missing,
        ItemStatus::DeclaredLost,
        ItemStatus::AgedToLost,
        ItemStatus::Withdrawn,
        ItemStatus::LostAndPaid,
        ItemStatus::AwaitingPickup,
        ItemStatus::OnOrder,
    ];
    for (at, queued, status, destination, request_status) in table {
        for prior in before {
            let queue = RequestQueue::new(queued.clone());
            let plan = plan_at(
                at,
                &CheckInFacts {
                    queue,
                    ..facts(prior)
                },
            );
            let case = format!("{prior} at {at}: {queued:?}");
            assert_eq!(plan.item.status.name, status, "{case}");
            assert_eq!(
                plan.item.in_transit_destination_service_point_id, destination,
                "{case}"
            );
            let changed = plan.request.map(|change| change.status.name());
            assert_eq!(changed, request_status, "{case}");
            let loan = plan.loan.unwrap();
            assert_eq!(
                (loan.item_status, loan.action),
                (status, LoanAction::CheckedIn),
                "{case}"
            );
            assert_eq!(plan.record.item_status_prior_to_check_in, prior, "{case}");
        }
    }
}

#[test]
fn an_item_without_place_goes_on_its_way_without_destination() {
    let mut facts = facts(ItemStatus::CheckedOut);
    facts.item.as_mut().unwrap().place = None;
    let plan = plan_at(HOME, &facts);
    assert_eq!(plan.item.status.name, ItemStatus::InTransit);
    assert_eq!(plan.item.in_transit_destination_service_point_id, None);
}

#[test]
fn the_item_keeps_who_took_it_in() {
    let mut document = json!({"id": ITEM, "barcode": "I1", "status": {"name": "Checked out"}});
    plan_at(AWAY, &facts(ItemStatus::CheckedOut))
        .item
        .apply_to(document.as_object_mut().unwrap());
    let last = json!({
        "dateTime": "2024-06-10T12:00:00.000+00:00",
        "servicePointId": AWAY,
        "staffMemberId": STAFF
    });
    assert_eq!(
        document,
        json!({
            "id": ITEM,
            "barcode": "I1",
            "status": {"name": "In transit", "date": "2024-06-10T12:00:00.000+00:00"},
            "inTransitDestinationServicePointId": HOME,
            "lastCheckIn": last
        })
    );
    // Available again after having been available: the status keeps its date.
    plan_at(HOME, &facts(ItemStatus::Available))
        .item
        .apply_to(document.as_object_mut().unwrap());
    assert_eq!(
        document["status"],
        json!({"name": "Available", "date": "2024-06-01T00:00:00.000+00:00"})
    );
    assert_eq!(document.get("inTransitDestinationServicePointId"), None);
}

#[test]
fn refusals_come_one_at_a_time() {
    let refusal = |facts: &CheckInFacts| {
        decide(&request(HOME), facts, now(), RECORD).unwrap_err()[0].message()
    };
    let nobody = CheckInFacts {
        operator_id: None,
        item: None,
        ..facts(ItemStatus::Available)
    };
    assert_eq!(refusal(&nobody), "No logged-in user present");
    let unknown = CheckInFacts {
        item: None,
        ..facts(ItemStatus::Available)
    };
    assert_eq!(refusal(&unknown), "No item with barcode I1 exists");
    assert_eq!(
        refusal(&facts(ItemStatus::IntellectualItem)),
        "Emma (book) (Barcode: I1) has the item status Intellectual item and cannot be checked in"
    );
    let queue = RequestQueue::new([queued(1, json!({"pickupServicePointId": null}))]);
    assert_eq!(
        refusal(&CheckInFacts {
            queue,
            ..facts(ItemStatus::CheckedOut)
        }),
        "Failed to check in item due to the highest priority request missing a pickup service point"
    );
}

#[test]
fn in_house_use_is_of_available_items_nobody_waits_for_where_they_belong() {
    let waiting = || RequestQueue::new([queued(1, json!({"itemId": Uuid::from_u128(0x99)}))]);
    let table = [
        (ItemStatus::Available, HOME, RequestQueue::default(), true),
        (ItemStatus::Available, BRANCH, RequestQueue::default(), true),
        (ItemStatus::Available, AWAY, RequestQueue::default(), false),
        (ItemStatus::CheckedOut, HOME, RequestQueue::default(), false),
        // Even a request for another item of the title counts.
        (ItemStatus::Available, HOME, waiting(), false),
    ];
    for (status, at, queue, expected) in table {
        let facts = CheckInFacts {
            open_loan: None,
            queue,
            ..facts(status)
        };
        let plan = plan_at(at, &facts);
        assert_eq!(plan.in_house_use, expected, "{status} at {at}");
        assert!(plan.loan.is_none());
    }
}

#[test]
fn the_record_has_folios_properties() {
    let queue = RequestQueue::new([queued(1, json!({}))]);
    let plan = plan_at(
        HOME,
        &CheckInFacts {
            queue,
            ..facts(ItemStatus::CheckedOut)
        },
    );
    assert_eq!(
        serde_json::to_value(&plan.record).unwrap(),
        json!({
            "id": RECORD,
            "occurredDateTime": "2024-06-10T12:00:00.000+00:00",
            "itemId": ITEM,
            "itemStatusPriorToCheckIn": "Checked out",
            "requestQueueSize": 1,
            "itemLocationId": Uuid::from_u128(0x40),
            "servicePointId": HOME,
            "performedByUserId": STAFF
        })
    );
}

#[test]
fn bodies_are_refused_at_the_first_gap() {
    let date = "2024-06-10T08:00:00.000Z";
    let barcode = Refusal::CheckInWithoutItemBarcode;
    let service_point = Refusal::CheckInWithoutServicePoint;
    let table = [
        (json!({}), barcode.clone()),
        (json!([]), barcode.clone()),
        (json!({"itemBarcode": " ", "servicePointId": HOME}), barcode),
        (
            json!({"itemBarcode": "I1", "checkInDate": date}),
            service_point.clone(),
        ),
        (
            json!({"itemBarcode": "I1", "servicePointId": "desk"}),
            service_point,
        ),
        (
            json!({"itemBarcode": "I1", "servicePointId": HOME}),
            Refusal::CheckInWithoutDate,
        ),
        (
            json!({"itemBarcode": "I1", "servicePointId": HOME, "checkInDate": "today"}),
            Refusal::CheckInWithoutDate,
        ),
        (
            json!({
                "itemBarcode": "I1", "servicePointId": HOME, "checkInDate": date,
                "claimedReturnedResolution": "Stolen"
            }),
            Refusal::ClaimResolutionNotRecognised {
                value: "Stolen".into(),
            },
        ),
    ];
    for (body, expected) in table {
        assert_eq!(CheckInRequest::from_body(&body), Err(expected), "{body}");
    }
    let body = json!({
        "itemBarcode": "I1", "servicePointId": HOME, "checkInDate": date, "sessionId": RECORD,
        "claimedReturnedResolution": "Found by library", "unheardOf": 1
    });
    let expected = CheckInRequest {
        session_id: Some(RECORD),
        claimed_returned_resolution: Some(ClaimResolution::FoundByLibrary),
        ..request(HOME)
    };
    assert_eq!(CheckInRequest::from_body(&body), Ok(expected));
}
