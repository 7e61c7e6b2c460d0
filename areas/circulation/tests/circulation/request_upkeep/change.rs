//! `PUT /circulation/requests/{id}`: edited and cancelled, with FOLIO's refusals.

use serde_json::{Value, json};
use uuid::Uuid;

use super::super::support::refused;
use super::super::{IN, check_in, stocked};
use super::{
    LATER, OPEN, REQUESTS, cancellation, holds, places, put, request, shown, status, titles,
};
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2, DVD};

/// A service point where nothing can be picked up.
const ONLINE: &str = "7c5abc9f-f3d7-4856-b8d7-6712462ca007";

#[tokio::test]
async fn an_edit_is_stored_with_its_summaries_and_told() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let ids = holds(&stock, &item, "p", 2).await;
    let other = stock.patron("p-other").await;
    let change = json!({"pickupServicePointId": CIRC_DESK_2, "requesterId": other,
        "requestExpirationDate": "2030-05-05T09:00:00.000+00:00", "position": 7,
        "itemId": Uuid::new_v4(), "tags": {"tagList": ["urgent"]}});
    let _ = put(client, &ids[1], change).await.expect(204);
    let now = shown(client, &ids[1]).await;
    assert_eq!(
        now["requestExpirationDate"],
        "2030-05-05T23:59:59.000+00:00"
    );
    assert_eq!(now["pickupServicePoint"]["name"], "Circ Desk 2");
    let path = format!("/request-storage/requests/{}", ids[1]);
    let stored = client.get(&path).await.expect(200).json();
    assert_eq!(
        stored["searchIndex"]["pickupServicePointName"],
        "Circ Desk 2"
    );
    assert_eq!(now["requester"]["barcode"], "p-other");
    assert_eq!(now["item"]["barcode"], "i-1");
    assert_eq!(now["instance"]["title"], "Middlemarch");
    assert_eq!(now["tags"]["tagList"], json!(["urgent"]));
    // Its item and its position cannot be changed in this way.
    assert_eq!(
        (&now["position"], &now["itemId"]),
        (&json!(2), &json!(item))
    );
    let logs = client
        .query("/audit-data/circulation/logs", "action==Edited")
        .await;
    let line = &logs.expect(200).json()["logRecords"][0];
    assert_eq!(line["object"], "Request");
    assert_eq!(line["userBarcode"], "p-other");
    assert_eq!(line["linkToIds"]["requestId"], json!(ids[1]));
    let told = line["description"].as_str().expect("a description");
    assert!(told.starts_with("Type: Hold. "), "{told}");
    let delivered = json!({"fulfillmentPreference": "Delivery", "pickupServicePointId": null,
        "deliveryAddressTypeId": "93d3d88d-499b-45d0-9bc7-ac73c3a19880"});
    let _ = put(client, &ids[1], delivered).await.expect(204);
    let now = shown(client, &ids[1]).await;
    assert_eq!(now["fulfillmentPreference"], "Delivery");
    assert!(now.get("pickupServicePoint").is_none());
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_cancelled_page_frees_its_item_unless_others_want_it() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item_of("i-1", DVD, "Paged").await;
    let who = stock.patron("p-1").await;
    let page = request(&stock, &item, &who, 1, json!({"requestType": "Page"})).await;
    let second = stock.patron("p-2").await;
    let hold = request(&stock, &item, &second, 2, json!({})).await;
    let third = stock.patron("p-3").await;
    let last = request(&stock, &item, &third, 3, json!({})).await;
    let cancel = cancellation(client).await;
    let _ = put(client, &page, cancel.clone()).await.expect(204);
    let ids = [page.clone(), hold.clone(), last.clone()];
    assert_eq!(places(client, &ids).await, [None, Some(1), Some(2)]);
    // FOLIO: it stays where it is for those who are left.
    assert_eq!(status(client, &item).await, "Paged");
    assert_in_order(&library).await;
    for id in [&hold, &last] {
        let _ = put(client, id, cancel.clone()).await.expect(204);
    }
    assert_eq!(status(client, &item).await, "Available");
    let now = shown(client, &page).await;
    assert_eq!(now["status"], "Closed - Cancelled");
    assert_eq!(now["cancellationReasonId"], cancel["cancellationReasonId"]);
    let logs = client
        .query("/audit-data/circulation/logs", "action==Cancelled")
        .await;
    let logs = logs.expect(200).json();
    assert_eq!(logs["totalRecords"], 3);
    let told = logs["logRecords"][0]["description"].as_str().expect("one");
    assert!(told.contains("Reason for cancellation: Item"), "{told}");
    assert!(
        told.ends_with("Additional information: No longer wanted."),
        "{told}"
    );
    let rows = super::super::support::sql(
        &library,
        "SELECT count(*) FROM tenant_diku.outbox
         WHERE topic = 'circulation.request-queue-reordering'",
    );
    assert_eq!(rows.await, [2]);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn what_waits_on_the_shelf_stays_there_when_its_request_is_cancelled() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item_of("i-1", DVD, "In transit").await;
    let ids = holds(&stock, &item, "p", 2).await;
    let stale = shown(client, &ids[0]).await;
    let _ = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    // Who sends what they read before the item came does not take it away.
    let path = format!("{REQUESTS}/{}", ids[0]);
    let _ = client.put(&path, &stale).await.expect(204);
    let now = shown(client, &ids[0]).await;
    assert_eq!(now["status"], "Open - Awaiting pickup");
    assert!(now["holdShelfExpirationDate"].is_string());
    let cancel = cancellation(client).await;
    let _ = put(client, &ids[0], cancel).await.expect(204);
    assert_eq!(status(client, &item).await, "Awaiting pickup");
    let now = shown(client, &ids[0]).await;
    assert!(now["awaitingPickupRequestClosedDate"].is_string());
    assert_eq!(places(client, &ids).await, [None, Some(1)]);
    assert_in_order(&library).await;
}

/// What is sent again, and the message, code and first parameter of its refusal.
type Refused<'a> = (Value, &'a str, Option<&'a str>, Option<(&'a str, Value)>);

#[tokio::test]
async fn what_does_not_fit_is_refused_in_folios_words() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let who = stock.patron("p-1").await;
    let commented = json!({"patronComments": "please"});
    let id = request(&stock, &item, &who, 1, commented).await;
    let nobody = Uuid::new_v4().to_string();
    let bad = put(client, &id, json!({"status": "Lost"}))
        .await
        .expect(400);
    let names = r#""Open - Not yet filled", "Open - Awaiting pickup", "Open - In transit", "Open - Awaiting delivery", "Closed - Filled", "Closed - Cancelled", "Closed - Unfilled", "Closed - Pickup expired""#;
    assert_eq!(
        bad.text,
        format!("Request status must be one of the following: {names}")
    );
    let cancel = json!({"status": "Closed - Cancelled", "cancellationReasonId": nobody});
    let refusals: Vec<Refused<'_>> = vec![
        (
            json!({"requestLevel": "Title"}),
            "Request level must be one of the following: \"Item\"",
            Some("REQUEST_LEVEL_IS_NOT_ALLOWED"),
            Some(("requestLevel", json!("Title"))),
        ),
        (
            json!({"fulfillmentPreference": "Pigeon"}),
            "Fulfillment preference must be one of the following: Hold Shelf, Delivery",
            Some("FULFILLMENT_PREFERENCE_IS_NOT_ALLOWED"),
            Some(("fulfillmentPreference", json!("Pigeon"))),
        ),
        (
            json!({"instanceId": null}),
            "Cannot create a request with no instance ID",
            None,
            Some(("instanceId", Value::Null)),
        ),
        (
            json!({"itemId": null}),
            "Cannot create an item level request with no item ID",
            None,
            Some(("itemId", Value::Null)),
        ),
        (
            json!({"holdingsRecordId": null}),
            "Cannot create a request with item ID but no holdings record ID",
            None,
            Some(("holdingsRecordId", Value::Null)),
        ),
        (
            json!({"requestDate": null}),
            "Cannot create a request with no requestDate",
            None,
            Some(("requestDate", Value::Null)),
        ),
        (
            json!({"proxyUserId": who}),
            "User cannot be proxy for themselves",
            Some("USER_CANNOT_BE_PROXY_FOR_THEMSELVES"),
            Some(("proxyUserId", json!(who))),
        ),
        (
            json!({"proxyUserId": nobody}),
            "proxyUserId is not valid",
            None,
            Some(("proxyUserId", json!(nobody))),
        ),
        (
            json!({"pickupServicePointId": null}),
            "Hold shelf fulfillment requests require a Pickup service point",
            Some("HOLD_SHELF_REQUESTS_REQUIRE_PICKUP_SERVICE_POINT"),
            Some(("id", json!(id))),
        ),
        (
            json!({"pickupServicePointId": nobody}),
            "Pickup service point does not exist",
            None,
            Some(("pickupServicePointId", json!(nobody))),
        ),
        (
            json!({"pickupServicePointId": ONLINE}),
            "Service point is not a pickup location",
            Some("SERVICE_POINT_IS_NOT_PICKUP_LOCATION"),
            Some(("pickupServicePointId", json!(ONLINE))),
        ),
        (
            json!({"patronComments": "at once"}),
            "Patron comments are not allowed to change",
            None,
            Some(("existingPatronComments", json!("please"))),
        ),
        (cancel, "Cancellation reason does not exist", None, None),
    ];
    for (change, message, code, parameter) in refusals {
        let body = put(client, &id, change).await.expect(422).json();
        let error = &body["errors"][0];
        assert_eq!(error["message"], message);
        assert_eq!(error["code"].as_str(), code, "{message}");
        if let Some((key, value)) = parameter {
            assert_eq!(error["parameters"][0]["key"], key);
            assert_eq!(error["parameters"][0]["value"], value, "{message}");
        }
    }
    // With titles another sentence, and a level that is allowed.
    titles(client, true).await;
    let answer = put(client, &id, json!({"requestLevel": "Shelf"})).await;
    let both = "Request level must be one of the following: \"Item\", \"Title\"";
    refused(answer, both, "requestLevel", "Shelf");
    titles(client, false).await;
    let cancel = cancellation(client).await;
    let _ = put(client, &id, cancel).await.expect(204);
    let answer = put(client, &id, json!({"status": OPEN})).await;
    let body = answer.expect(422).json();
    assert_eq!(
        body["errors"][0]["message"],
        "The Request has already been closed"
    );
    assert_eq!(body["errors"][0]["code"], "REQUEST_ALREADY_CLOSED");
    let mut unknown = shown(client, &id).await;
    unknown["status"] = json!(OPEN);
    unknown["requestExpirationDate"] = json!(LATER);
    unknown["requestType"] = json!("Page");
    // What is not known is placed, as in FOLIO.
    let new = Uuid::new_v4().to_string();
    let path = format!("{REQUESTS}/{new}");
    let _ = client.put(&path, &unknown).await.expect(204);
    assert_eq!(shown(client, &new).await["status"], OPEN);
}
