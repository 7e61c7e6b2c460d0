//! What a loan changes, and how a body is read.

use octavo_library::RequestId;

use super::*;

#[test]
fn a_plain_loan_is_stored_with_folios_properties() {
    let plan = decide_with(|_, _| {}).unwrap();
    assert_eq!(
        serde_json::to_value(&plan.loan).unwrap(),
        json!({
            "id": LOAN,
            "userId": PATRON,
            "itemId": ITEM,
            "itemEffectiveLocationIdAtCheckOut": Uuid::from_u128(0x40),
            "status": {"name": "Open"},
            "loanDate": "2024-06-01T10:00:00.000Z",
            "dueDate": "2024-06-15T10:00:00.000+00:00",
            "action": "checkedout",
            "itemStatus": "Checked out",
            "loanPolicyId": Uuid::from_u128(0x50),
            "overdueFinePolicyId": Uuid::from_u128(0x60),
            "lostItemPolicyId": Uuid::from_u128(0x70),
            "checkoutServicePointId": DESK,
            "patronGroupIdAtCheckout": Uuid::from_u128(0x10),
            "isDcb": false
        })
    );
    let mut document = json!({
        "id": ITEM,
        "status": {"name": "In transit"},
        "inTransitDestinationServicePointId": DESK
    });
    plan.apply_to_item(document.as_object_mut().unwrap());
    let status = json!({"name": "Checked out", "date": "2024-06-01T10:00:00.000+00:00"});
    assert_eq!(document, json!({"id": ITEM, "status": status}));
    assert!(plan.lifted.is_empty() && plan.filled_request.is_none());
}

#[test]
fn the_borrowers_request_is_filled_and_the_others_move_up() {
    let plan = decide_with(|_, f| {
        f.queue = RequestQueue::new([
            queued(2, STRANGER, json!({"status": "Open - Not yet filled"})),
            queued(1, PATRON, json!({})),
            queued(4, STRANGER, json!({"status": "Open - Not yet filled"})),
            queued(3, STRANGER, json!({"status": "Closed - Cancelled"})),
        ]);
    })
    .unwrap();
    let filled = plan.filled_request.unwrap();
    assert_eq!(filled.id, RequestId::from_u128(0x101));
    let mut document = json!({"id": filled.id, "position": 1, "status": "Open - Awaiting pickup"});
    filled.apply_to(document.as_object_mut().unwrap());
    assert_eq!(
        document,
        json!({"id": filled.id, "status": "Closed - Filled"})
    );
}

#[test]
fn title_requests_count_when_they_can_take_the_item() {
    let title = |changes: Value| {
        let mut all =
            json!({"requestLevel": "Title", "itemId": null, "status": "Open - Not yet filled"});
        all.as_object_mut()
            .unwrap()
            .extend(changes.as_object().unwrap().clone());
        queued(1, STRANGER, all)
    };
    let other = Uuid::from_u128(0x99);
    let table = [
        (title(json!({})), true, false),
        (title(json!({})), false, true),
        (title(json!({"instanceId": other})), true, true),
        (title(json!({"itemId": other})), true, true),
        (title(json!({"itemId": ITEM})), true, false),
        // A recall of the title blocks only the item it was put on.
        (title(json!({"requestType": "Recall"})), true, true),
        (
            title(json!({"requestType": "Recall", "itemId": ITEM})),
            true,
            false,
        ),
    ];
    for (request, allowed_by_rules, lent) in table {
        let request = QueuedRequest {
            allowed_by_rules,
            ..request
        };
        let outcome = decide_with(|_, f| f.queue = RequestQueue::new([request.clone()]));
        assert_eq!(outcome.is_ok(), lent, "{request:?}");
    }
}

#[test]
fn waiting_requests_change_the_due_date() {
    let mut policy = policy();
    policy["requestManagement"] = json!({
        "holds": {"alternateCheckoutLoanPeriod": {"duration": 3, "intervalId": "Days"}},
        "recalls": {"recallReturnInterval": {"duration": 1, "intervalId": "Days"}}
    });
    let waiting = |kind: &str| {
        queued(
            2,
            STRANGER,
            json!({"requestType": kind, "status": "Open - Not yet filled"}),
        )
    };
    let loan = |others: Vec<QueuedRequest>| {
        decide_with(|_, f| {
            f.terms = Some(terms(policy.clone()));
            f.queue = RequestQueue::new([vec![queued(1, PATRON, json!({}))], others].concat());
        })
        .unwrap()
    };
    let plain = loan(vec![]);
    assert_eq!(plain.loan.due_date.to_string(), "2024-06-15T10:00:00Z");
    let held = loan(vec![waiting("Hold")]);
    assert_eq!(held.loan.due_date.to_string(), "2024-06-04T10:00:00Z");
    assert!(held.due_date_changed_by_hold);
    let recalled = loan(vec![waiting("Recall")]);
    assert_eq!(recalled.loan.due_date.to_string(), "2024-06-02T10:00:00Z");
    assert_eq!(
        serde_json::to_value(&recalled.loan).unwrap()["dueDateChangedByRecall"],
        true
    );
}

#[test]
fn loan_date_zone_and_expiration_are_heeded() {
    let plan = decide_with(|r, f| {
        r.loan_date = "2024-03-09T17:00:00Z".parse().ok();
        f.zone = TimeZone::get("America/New_York").unwrap();
    })
    .unwrap();
    assert_eq!(plan.loan.loan_date.to_string(), "2024-03-09T17:00:00Z");
    // Two weeks later the clocks have changed: noon is 16:00Z.
    assert_eq!(plan.loan.due_date.to_string(), "2024-03-23T16:00:00Z");
    let plan = decide_with(|_, f| patron(f).expiration_date = "2024-06-03T00:00:00Z".parse().ok());
    let plan = plan.unwrap();
    assert_eq!(plan.loan.due_date.to_string(), "2024-06-03T00:00:00Z");
    assert!(plan.due_date_changed_by_near_expire_user);
}

#[test]
fn bodies_are_read_leniently() {
    let body = json!({
        "id": "ignored", "itemBarcode": "I1", "userBarcode": "U1", "proxyUserBarcode": " ",
        "servicePointId": "", "loanDate": "", "overrideBlocks": null, "forceLoanPolicyId": null,
        "unheardOf": true
    });
    let read: CheckOutRequest = serde_json::from_value(body).unwrap();
    let bare = CheckOutRequest {
        service_point_id: None,
        ..request()
    };
    assert_eq!(read, bare);
    assert_eq!(
        serde_json::from_value::<CheckOutRequest>(json!({})).unwrap(),
        Default::default()
    );
    let wrong = [
        json!({"servicePointId": "desk"}),
        json!({"loanDate": "yesterday"}),
        json!({"itemBarcode": 1}),
    ];
    for body in wrong {
        assert!(
            serde_json::from_value::<CheckOutRequest>(body.clone()).is_err(),
            "{body}"
        );
    }
}
