//! Which request is served, and its changes.

use octavo_library::ItemStatus;

use super::*;

#[test]
fn the_wait_on_the_hold_shelf_begins_here_only() {
    let given = "2024-06-30T00:00:00.000+00:00";
    let table = [
        (BRANCH, Value::Null, Some("2024-06-13T23:59:59.000+00:00")),
        (BRANCH, json!(given), Some(given)),
        (HOME, json!(given), None),
        (HOME, Value::Null, None),
    ];
    for (at, before, expected) in table {
        let waiting = queued(1, json!({"holdShelfExpirationDate": before}));
        let mut document = json!({"holdShelfExpirationDate": before});
        let queue = RequestQueue::new([waiting]);
        let plan = plan_at(
            at,
            &CheckInFacts {
                queue,
                ..facts(ItemStatus::CheckedOut)
            },
        );
        plan.request
            .unwrap()
            .apply_to(document.as_object_mut().unwrap());
        let found = document
            .get("holdShelfExpirationDate")
            .and_then(Value::as_str);
        assert_eq!(found, expected, "{at} {before}");
        assert_eq!(document.get("itemId"), None);
    }
}

#[test]
fn a_title_request_is_given_the_item() {
    let other = Uuid::from_u128(0x99);
    let title = |changes: Value| {
        let mut all = json!({"requestLevel": "Title", "itemId": null});
        all.as_object_mut()
            .unwrap()
            .extend(changes.as_object().unwrap().clone());
        queued(1, all)
    };
    let table = [
        (title(json!({})), true, true),
        (title(json!({})), false, false),
        (title(json!({"instanceId": other})), true, false),
        (title(json!({"itemId": other})), true, false),
        // An unfilled recall of the title is content with any item.
        (
            title(json!({"requestType": "Recall", "itemId": other})),
            true,
            true,
        ),
        (
            title(json!({"requestType": "Recall", "itemId": other})),
            false,
            false,
        ),
        (
            title(json!({
                "requestType": "Recall", "itemId": other, "status": "Open - Awaiting pickup"
            })),
            true,
            false,
        ),
    ];
    for (request, allowed_by_rules, served) in table {
        let queue = RequestQueue::new([QueuedRequest {
            allowed_by_rules,
            ..request.clone()
        }]);
        let plan = plan_at(
            HOME,
            &CheckInFacts {
                queue,
                ..facts(ItemStatus::CheckedOut)
            },
        );
        assert_eq!(plan.request.is_some(), served, "{request:?}");
        let Some(change) = plan.request else { continue };
        let mut document = json!({"itemId": null});
        change.apply_to(document.as_object_mut().unwrap());
        let expected =
            json!({"itemId": ITEM, "status": "Open - In transit", "holdingsRecordId": HOLDINGS});
        assert_eq!(document, expected);
    }
}
