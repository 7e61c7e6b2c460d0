//! What prevents a request for an item.

use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::{OUT, messages, stocked};
use octavo_server_testkit::stock::{CIRC_DESK_2, DVD, check_out};

#[tokio::test]
async fn what_a_request_lacks_is_told_together() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let nobody = Uuid::new_v4();
    let body = json!({"requestLevel": "Item", "requesterId": nobody,
                      "fulfillmentPreference": "Hold Shelf"});
    let answer = client.post(REQUESTS, &body).await.expect(422).json();
    let expected = [
        "Cannot create a request with no instance ID",
        "Cannot create an item level request with no item ID",
        "Cannot create a request with no requestDate",
        "Hold shelf fulfillment requests require a Pickup service point",
        "A valid user and patron group are required. User is null",
    ];
    assert_eq!(messages(&answer), expected);
    assert_eq!(parameter(&answer["errors"][4], "userId"), &json!(nobody));

    let item = stock.item("i-1").await;
    let requester = stock.patron_with("p-0", json!({"active": false})).await;
    let mut body = asked(&stock, "Hold", &item, &requester);
    body["instanceId"] = json!(Uuid::new_v4());
    body["pickupServicePointId"] = json!(Uuid::new_v4());
    body["proxyUserId"] = json!(nobody);
    let answer = client.post(REQUESTS, &body).await.expect(422).json();
    let expected = [
        "Instance does not exist",
        "proxyUserId is not valid",
        "Pickup service point does not exist",
        "Inactive users cannot make requests",
    ];
    assert_eq!(messages(&answer), expected);
    body["instanceId"] = json!(stock.instance);
    body["itemId"] = json!(Uuid::new_v4());
    body["pickupServicePointId"] = json!(CIRC_DESK_1);
    body["proxyUserId"] = json!(requester);
    let answer = client.post(REQUESTS, &body).await.expect(422).json();
    let expected = [
        "User cannot be proxy for themselves",
        "Inactive users cannot make requests",
        "Item does not exist",
    ];
    assert_eq!(messages(&answer), expected);
    assert_eq!(parameter(&answer["errors"][2], "itemId"), &body["itemId"]);
}

#[tokio::test]
async fn the_form_of_a_request_is_looked_at_first() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let requester = stock.patron("p-1").await;
    let body = asked(&stock, "Page", &item, &requester);
    let with = |name: &str, value: &str| {
        let mut body = body.clone();
        body[name] = json!(value);
        body
    };
    let answer = client
        .post(REQUESTS, &with("status", "Waiting"))
        .await
        .expect(400);
    assert!(
        answer.text.starts_with(
            "Request status must be one of the following: \
            \"Open - Not yet filled\", \"Open - Awaiting pickup\", \"Open - In transit\""
        ),
        "{}",
        answer.text
    );
    for level in ["Title", "Shelf"] {
        let answer = client.post(REQUESTS, &with("requestLevel", level)).await;
        let error = &errors(answer)[0];
        let message = "Request level must be one of the following: \"Item\"";
        assert_eq!(error["message"], message);
        assert_eq!(error["code"], "REQUEST_LEVEL_IS_NOT_ALLOWED");
        assert_eq!(parameter(error, "requestLevel"), level);
    }
    let answer = client
        .post(REQUESTS, &with("fulfillmentPreference", "Post"))
        .await;
    let error = &errors(answer)[0];
    let message = "Fulfillment preference must be one of the following: Hold Shelf, Delivery";
    assert_eq!(error["message"], message);
    let answer = client.post(REQUESTS, &with("requestType", "Wish")).await;
    let error = &errors(answer)[0];
    assert_eq!(
        error["code"],
        "REQUEST_NOT_ALLOWED_FOR_PATRON_ITEM_COMBINATION"
    );
    // What the storage refuses of a record is refused here too.
    let answer = client
        .post(REQUESTS, &with("deliveryAddressTypeId", "home"))
        .await;
    assert_eq!(answer.status, 422, "{}", answer.text);
    assert_eq!(status(client, &item).await, "Available");
}

#[tokio::test]
async fn statuses_and_policies_say_what_can_be_asked_for() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let requester = stock.patron("p-1").await;
    let message = |kind: &str| {
        format!("{kind} requests are not allowed for this patron and item combination")
    };
    for (status, allowed) in [
        ("Available", "Page"),
        ("Restricted", "Page Hold Recall"),
        ("On order", "Hold Recall"),
        ("Missing", "Hold"),
        ("Withdrawn", ""),
        ("Intellectual item", ""),
    ] {
        for kind in ["Page", "Hold", "Recall"] {
            let barcode = format!("{status}-{kind}");
            let item = stock.item_of(&barcode, DVD, status).await;
            let body = asked(&stock, kind, &item, &requester);
            let answer = client.post(REQUESTS, &body).await;
            if allowed.contains(kind) {
                let _ = answer.expect(201);
            } else {
                let errors = errors(answer);
                assert_eq!(errors.len(), 1, "{errors:?}");
                assert_eq!(errors[0]["message"], message(kind).as_str());
                assert_eq!(parameter(&errors[0], "requestType"), kind);
            }
        }
    }
    // A policy that is changed is in force at once.
    let policy = "/request-policy-storage/request-policies/334e5a9e-94f9-4673-8d1d-ab552863886b";
    let mut changed = client.get(policy).await.expect(200).json();
    changed["requestTypes"] = json!(["Hold", "Page"]);
    changed["allowedServicePoints"] = json!({"Page": [CIRC_DESK_2]});
    let _ = client.put(policy, &changed).await.expect(204);
    let item = stock.item_of("i-1", DVD, "Restricted").await;
    let recall = asked(&stock, "Recall", &item, &requester);
    assert_eq!(
        only(client.post(REQUESTS, &recall).await),
        message("Recall")
    );
    let page = asked(&stock, "Page", &item, &requester);
    let error = &errors(client.post(REQUESTS, &page).await)[0];
    assert_eq!(
        error["message"],
        "One or more Pickup locations are no longer available"
    );
    assert_eq!(error["code"], "REQUEST_PICKUP_SERVICE_POINT_IS_NOT_ALLOWED");
    assert_eq!(parameter(error, "pickupServicePointId"), CIRC_DESK_1);
    let _ = place(client, &asked(&stock, "Hold", &item, &requester)).await;
}

#[tokio::test]
async fn nobody_asks_twice_or_for_what_they_have() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let (first, second) = (stock.patron("p-1").await, stock.patron("p-2").await);
    let _ = client.post(OUT, &check_out("i-1", "p-1")).await.expect(201);
    let error = &errors(
        client
            .post(REQUESTS, &asked(&stock, "Hold", &item, &first))
            .await,
    )[0];
    assert_eq!(
        error["message"],
        "This requester already has this item on loan"
    );
    assert_eq!(error["code"], "REQUESTER_ALREADY_HAS_THIS_ITEM_ON_LOAN");
    assert_eq!(parameter(error, "userId"), &json!(first));
    let body = asked(&stock, "Hold", &item, &second);
    let _ = place(client, &body).await;
    let error = &errors(client.post(REQUESTS, &body).await)[0];
    assert_eq!(
        error["message"],
        "This requester already has an open request for this item"
    );
    assert_eq!(error["code"], "ITEM_ALREADY_REQUESTED");
    assert_eq!(parameter(error, "itemId"), &json!(item));
    // A service point at which nothing is picked up; a patron without a group.
    let point = json!({"name": "Cellar", "code": "cellar", "discoveryDisplayName": "Cellar",
                       "pickupLocation": false});
    let point = client
        .post("/service-points", &point)
        .await
        .expect(201)
        .json();
    let other = stock.patron_with("p-3", json!({"patronGroup": null})).await;
    let mut body = asked(&stock, "Hold", &item, &other);
    body["pickupServicePointId"] = point["id"].clone();
    let errors = errors(client.post(REQUESTS, &body).await);
    assert_eq!(
        errors[0]["message"],
        "Service point is not a pickup location"
    );
    assert_eq!(errors[0]["code"], "SERVICE_POINT_IS_NOT_PICKUP_LOCATION");
    assert_eq!(
        errors[1]["message"],
        "A valid patron group is required. PatronGroup ID is null"
    );
    assert_eq!(errors.len(), 2);
}
