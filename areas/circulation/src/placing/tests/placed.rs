//! Requests that are placed.

use octavo_library::{ItemStatus, RequestStatus, RequestType, UserId};

use super::*;

#[test]
fn each_kind_has_its_place_and_its_consequences() {
    let loan = ItemLoan {
        id: LOAN,
        user_id: Some(UserId::from_u128(2)),
    };
    for (kind, status, loan, paged, recalls) in [
        ("Page", ItemStatus::Available, None, true, false),
        ("Page", ItemStatus::Restricted, None, false, false),
        ("Hold", ItemStatus::CheckedOut, Some(loan), false, false),
        ("Recall", ItemStatus::CheckedOut, Some(loan), false, true),
        ("recall", ItemStatus::InTransit, None, false, false),
    ] {
        let mut facts = facts(status);
        facts.loan = loan;
        let plan = decided(&request(kind, json!({})), &facts).expect(kind);
        assert_eq!(plan.position, Some(5), "{kind}");
        let change = plan.item_status.map(|change| (change.name, change.date));
        assert_eq!(
            change,
            paged.then_some((ItemStatus::Paged, Some(now()))),
            "{kind}"
        );
        assert_eq!(plan.recalls, recalls, "{kind}");
    }
    let closed = request("Page", json!({"status": "Closed - Filled"}));
    let plan = decided(&closed, &facts(ItemStatus::Available)).expect("it is stored");
    assert_eq!((plan.position, plan.item_status), (None, None));
}

#[test]
fn kinds_and_statuses_go_together() {
    let waiting = [
        ItemStatus::CheckedOut,
        ItemStatus::AwaitingPickup,
        ItemStatus::AwaitingDelivery,
        ItemStatus::InTransit,
        ItemStatus::Paged,
        ItemStatus::OnOrder,
        ItemStatus::InProcess,
    ];
    for status in waiting {
        assert!(!allows(RequestType::Page, status), "{status}");
        assert!(allows(RequestType::Hold, status) && allows(RequestType::Recall, status));
    }
    for (status, page, hold, recall) in [
        (ItemStatus::Available, true, false, false),
        (ItemStatus::Restricted, true, true, true),
        (ItemStatus::Missing, false, true, false),
        (ItemStatus::DeclaredLost, false, false, false),
        (ItemStatus::ClaimedReturned, false, false, false),
        (ItemStatus::Withdrawn, false, false, false),
        (ItemStatus::LostAndPaid, false, false, false),
        (ItemStatus::AgedToLost, false, false, false),
        (ItemStatus::IntellectualItem, false, false, false),
        (ItemStatus::InProcessNonRequestable, false, false, false),
        (ItemStatus::LongMissing, false, false, false),
        (ItemStatus::Unavailable, false, false, false),
        (ItemStatus::Unknown, false, false, false),
        // A status that FOLIO has no rule for can be waited for.
        (ItemStatus::OrderClosed, false, true, false),
    ] {
        let found = [RequestType::Page, RequestType::Hold, RequestType::Recall];
        let found = found.map(|kind| allows(kind, status));
        assert_eq!(found, [page, hold, recall], "{status}");
    }
}

#[test]
fn what_is_wrong_is_told_once_and_in_order() {
    let mut facts = facts(ItemStatus::Available);
    facts.requester = None;
    facts.item = None;
    facts.policy = None;
    facts.pickup_location = None;
    let wrong = request("Hold", json!({"proxyUserId": OTHER}));
    let expected = [
        "proxyUserId is not valid",
        "Pickup service point does not exist",
        "A valid user and patron group are required. User is null",
        "Item does not exist",
    ];
    assert_eq!(
        decided(&wrong, &facts),
        Err(expected.map(str::to_owned).to_vec())
    );
    let mut facts = super::facts(ItemStatus::Available);
    facts.policy = Some(policy(&[RequestType::Page]));
    let twice = decided(&request("Hold", json!({})), &facts).expect_err("both forbid it");
    let message = "Hold requests are not allowed for this patron and item combination";
    assert_eq!(twice, [message]);
    let lacking = request("Hold", json!({"requestDate": null, "holdingsRecordId": ""}));
    let expected = [
        "Cannot create a request with item ID but no holdings record ID",
        "Cannot create a request with no requestDate",
    ];
    let found = decided(&lacking, &super::facts(ItemStatus::Available));
    assert_eq!(found, Err(expected.map(str::to_owned).to_vec()));
}

#[test]
fn a_requester_waits_once_for_an_item_and_for_a_title() {
    use RequestLevel::{Item, Title};
    let (open, delivered) = (RequestStatus::NotYetFilled, RequestStatus::AwaitingDelivery);
    let item_message = "This requester already has an open request for this item";
    let title_message = "This requester already has an open request for this instance";
    let of_title = "This requester already has an open request for one of the instance's items";
    for (titles, asked, level, item_id, status, expected) in [
        (false, "Item", Item, Some(ITEM), open, Some(item_message)),
        (false, "Item", Item, Some(ITEM), delivered, None),
        (false, "Item", Item, Some(OTHER), open, None),
        (false, "Item", Title, Some(ITEM), open, None),
        (true, "Item", Item, Some(OTHER), open, None),
        (true, "Item", Title, None, open, Some(item_message)),
        (true, "Title", Title, None, open, Some(title_message)),
        (true, "Title", Item, Some(OTHER), open, Some(of_title)),
    ] {
        let mut facts = facts(ItemStatus::OnOrder);
        facts.titles.enabled = titles;
        facts.own = vec![own(level, item_id, status)];
        let mut more = json!({"requestLevel": asked});
        if asked == "Title" {
            more["itemId"] = Value::Null;
            more["holdingsRecordId"] = Value::Null;
            facts.item = None;
        }
        let found = decided(&request("Hold", more), &facts).err();
        let expected = expected.map(|message| vec![message.to_owned()]);
        assert_eq!(found, expected, "{titles} {asked} {level:?} {status:?}");
    }
}

#[test]
fn blocks_are_told_or_overridden() {
    let mut facts = facts(ItemStatus::Available);
    facts.automated_blocks = vec!["Too many books".into()];
    let block = |expires: &str| {
        serde_json::from_value(json!({"desc": "Loud", "requests": true, "expirationDate": expires}))
            .expect("a block")
    };
    facts.manual_blocks = vec![block("2026-02-03T00:00:00Z")];
    let page = request("Page", json!({}));
    let both = ["Too many books", "Patron blocked from requesting"].map(str::to_owned);
    assert_eq!(decided(&page, &facts), Err(both.to_vec()));
    facts.manual_blocks = vec![block("2026-02-01T00:00:00Z")];
    assert_eq!(decided(&page, &facts).map_err(|all| all.len()), Err(1));
    let parameters = json!({"overrideBlocks": {"patronBlock": {}}});
    let overriding = request("Page", json!({"requestProcessingParameters": parameters}));
    let lacking = vec!["Insufficient override permissions".to_owned()];
    assert_eq!(decided(&overriding, &facts), Err(lacking));
    let permission = "circulation.override-patron-block.post".to_owned();
    facts.operator_permissions.insert(permission);
    assert!(
        decided(&overriding, &facts)
            .expect("it is placed")
            .overridden
    );
}
