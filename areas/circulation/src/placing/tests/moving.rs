//! Requests that go to another item.

use octavo_library::{ItemStatus, RequestLevel, RequestStatus, RequestType, UserId};

use super::*;
use crate::refusal::PlacingRefusal;

fn waiting(more: Value) -> crate::facts::QueuedRequest {
    let mut document = json!({"id": REQUEST, "requestType": "Hold", "requestLevel": "Item",
        "status": "Open - Not yet filled", "requesterId": PATRON, "instanceId": INSTANCE,
        "itemId": OTHER, "position": 2, "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": DESK});
    for (name, value) in more.as_object().expect("an object") {
        document[name] = value.clone();
    }
    serde_json::from_value(document).expect("a request")
}

fn found(status: ItemStatus, source: ItemStatus) -> MoveFacts {
    MoveFacts {
        request: waiting(json!({})),
        titles: false,
        destination: Some(item(ITEM, status)),
        loan: None,
        source: Some(item(OTHER, source)),
        left_behind: 0,
        requester: Some(patron()),
        own: vec![own(
            RequestLevel::Item,
            Some(OTHER),
            RequestStatus::NotYetFilled,
        )],
        policy: Some(policy(&ALL)),
        last_position: 3,
    }
}

fn to(kind: Option<RequestType>) -> MoveRequest {
    MoveRequest {
        destination: ITEM,
        kind,
    }
}

#[test]
fn it_enters_the_other_queue_at_its_end() {
    let mut facts = found(ItemStatus::Available, ItemStatus::Paged);
    let plan = decide_move(to(None), &facts, now()).expect("a plan");
    assert_eq!((plan.kind, plan.position), (RequestType::Page, 4));
    let names = |plan: &MovePlan| {
        let statuses = [plan.destination_status, plan.source_status];
        statuses.map(|status| status.map(|status| status.name))
    };
    assert_eq!(
        names(&plan),
        [Some(ItemStatus::Paged), Some(ItemStatus::Available)]
    );
    facts.left_behind = 1;
    let plan = decide_move(to(None), &facts, now()).expect("a plan");
    assert_eq!(names(&plan), [Some(ItemStatus::Paged), None]);
    let mut facts = found(ItemStatus::CheckedOut, ItemStatus::CheckedOut);
    facts.loan = Some(ItemLoan {
        id: LOAN,
        user_id: Some(UserId::from_u128(2)),
    });
    let recall = decide_move(to(Some(RequestType::Recall)), &facts, now()).expect("a plan");
    assert!(recall.recalls);
    assert_eq!(names(&recall), [None, None]);
    // In the queue of the title it goes after all others.
    facts.titles = true;
    let plan = decide_move(to(None), &facts, now()).expect("a plan");
    assert_eq!(
        (plan.kind, plan.position, plan.recalls),
        (RequestType::Hold, 4, false)
    );
}

#[test]
fn what_stands_against_it_is_told_first_to_last() {
    type Change = fn(&mut MoveFacts);
    let table: [(Change, &str); 10] = [
        (
            |f| f.request = waiting(json!({"requestLevel": "Title"})),
            "Can not process TLR - TLR feature is disabled",
        ),
        (
            |f| {
                f.titles = true;
                f.request = waiting(json!({"requestLevel": "Title"}));
            },
            "Not allowed to move from/to Hold TLR",
        ),
        (
            |f| f.request = waiting(json!({"status": "Closed - Filled"})),
            "The Request has already been closed",
        ),
        (
            |f| f.request = waiting(json!({"status": "Open - In transit"})),
            "Cannot move a request when fulfillment has begun",
        ),
        (
            |f| f.destination = None,
            "Request can only be moved to an item with the same instance ID",
        ),
        (
            |f| f.requester = None,
            "A valid user and patron group are required. User is null",
        ),
        (
            |f| f.destination = Some(item(ITEM, ItemStatus::Withdrawn)),
            "Hold requests are not allowed for this patron and item combination",
        ),
        (
            |f| {
                f.own = vec![own(
                    RequestLevel::Item,
                    Some(ITEM),
                    RequestStatus::NotYetFilled,
                )]
            },
            "This requester already has an open request for this item",
        ),
        (
            |f| {
                f.loan = Some(ItemLoan {
                    id: LOAN,
                    user_id: Some(PATRON),
                })
            },
            "This requester already has this item on loan",
        ),
        (
            |f| f.policy = Some(policy(&[RequestType::Page])),
            "Hold requests are not allowed for this patron and item combination",
        ),
    ];
    for (change, expected) in table {
        let mut facts = found(ItemStatus::CheckedOut, ItemStatus::CheckedOut);
        change(&mut facts);
        let refusal = decide_move(to(None), &facts, now()).expect_err(expected);
        assert_eq!(Refusal::from(refusal).message(), expected);
    }
    let mut facts = found(ItemStatus::CheckedOut, ItemStatus::CheckedOut);
    facts.titles = true;
    facts.request = waiting(json!({"requestLevel": "Title", "requestType": "Recall"}));
    facts.own = vec![own(
        RequestLevel::Title,
        Some(ITEM),
        RequestStatus::NotYetFilled,
    )];
    let same = decide_move(to(None), &facts, now());
    assert!(matches!(same, Err(PlacingRefusal::MovedToSameItem { .. })));
}
