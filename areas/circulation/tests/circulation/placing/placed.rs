//! What happens to a request, its item and its loan.

use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::{OUT, stocked};
use octavo_server_testkit::stock::{CIRC_DESK_2, check_out};

#[tokio::test]
async fn a_page_takes_its_item_from_the_shelf() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let requester = stock.patron("p-1").await;
    let mut body = asked(&stock, "Page", &item, &requester);
    let id = Uuid::new_v4().to_string();
    let more = json!({"id": id, "patronComments": "The old edition", "tags": {"tagList": ["new"]},
        "requestExpirationDate": "2026-05-02T10:00:00Z", "position": 7,
        "requester": {"lastName": "Somebody else"}, "item": {"barcode": "other"},
        "pickupServicePoint": {"name": "elsewhere"},
        "requestProcessingParameters": {"overrideBlocks": {}}});
    body.as_object_mut()
        .expect("an object")
        .extend(more.as_object().expect("an object").clone());
    let answer = client.post(REQUESTS, &body).await.expect(201);
    let address = format!("{REQUESTS}/{id}");
    assert_eq!(answer.header("location"), Some(address.as_str()));
    let shown = client.get(&address).await.expect(200).json();
    assert_eq!(answer.json(), shown);
    assert_eq!(shown["requester"]["barcode"], "p-1");
    assert_eq!(shown["pickupServicePoint"]["name"], "Circ Desk 1");

    let stored = client.get(&format!("{STORED}/{id}")).await.expect(200);
    let mut stored = stored.json();
    let metadata = stored
        .as_object_mut()
        .expect("an object")
        .remove("metadata");
    assert!(metadata.expect("metadata")["createdByUserId"].is_string());
    let expected = json!({"id": id, "requestLevel": "Item", "requestType": "Page",
        "requestDate": "2026-02-02T10:00:00.000+00:00", "requesterId": requester,
        "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": item,
        "status": "Open - Not yet filled", "position": 1, "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": CIRC_DESK_1, "patronComments": "The old edition",
        "tags": {"tagList": ["new"]},
        "requestExpirationDate": "2026-05-02T23:59:59.000+00:00",
        "instance": {"title": "Middlemarch", "identifiers": []},
        "item": {"barcode": "i-1", "itemEffectiveLocationId": stock.location,
            "itemEffectiveLocationName": "Stacks", "retrievalServicePointId": CIRC_DESK_1,
            "retrievalServicePointName": "Circ Desk 1"},
        "requester": {"firstName": "Dorothea", "lastName": "Brooke", "barcode": "p-1"},
        "searchIndex": {"callNumberComponents": {"callNumber": "PR4662 .A1"},
            "shelvingOrder": stored["searchIndex"]["shelvingOrder"],
            "pickupServicePointName": "Circ Desk 1"}});
    assert_eq!(stored, expected);
    assert!(expected["searchIndex"]["shelvingOrder"].is_string());

    let paged = client.get(&format!("/item-storage/items/{item}")).await;
    let paged = paged.expect(200).json();
    assert_eq!(paged["status"]["name"], "Paged");
    assert!(paged["status"]["date"].is_string());
    let log = log(&library).await;
    assert_eq!(log, [("Created".to_owned(), "Type: Page.".to_owned())]);
    let events = told(&library, "circulation.request").await;
    assert_eq!(events.len(), 1);
    assert_eq!((&*events[0].0, &events[0].1["id"]), ("CREATE", &json!(id)));
    // Whoever sends it again makes nothing new.
    let again = errors(client.post(REQUESTS, &body).await);
    assert!(
        again
            .iter()
            .any(|one| one["code"] == "ITEM_ALREADY_REQUESTED")
    );
    assert_eq!(told(&library, "circulation.request").await.len(), 1);
}

#[tokio::test]
async fn an_id_is_given_once() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock
        .item_of("i-1", octavo_server_testkit::stock::DVD, "On order")
        .await;
    let (first, second) = (stock.patron("p-1").await, stock.patron("p-2").await);
    let id = Uuid::new_v4();
    let mut body = asked(&stock, "Hold", &item, &first);
    body["id"] = json!(id);
    let _ = place(client, &body).await;
    body["requesterId"] = json!(second);
    let taken = client.post(REQUESTS, &body).await;
    let stored = client
        .post(STORED, &asked_again(&stock, &item, &second, id))
        .await;
    assert_eq!((taken.status, &taken.text), (stored.status, &stored.text));
    assert!(taken.status == 422 || taken.status == 400, "{}", taken.text);
    assert_eq!(places(client, &format!("itemId=={item}")).await, [1]);
    assert_eq!(told(&library, "circulation.request").await.len(), 1);
}

/// The same record for the storage.
fn asked_again(stock: &Stock, item: &str, requester: &str, id: Uuid) -> Value {
    let mut body = asked(stock, "Hold", item, requester);
    body["id"] = json!(id);
    body["status"] = json!("Open - Not yet filled");
    body["position"] = json!(2);
    body
}

#[tokio::test]
async fn a_recall_brings_the_due_date_forward_once() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let _ = stock.patron("p-0").await;
    let (first, second) = (stock.patron("p-1").await, stock.patron("p-2").await);
    let policy = "/loan-policy-storage/loan-policies/d9cd0bed-1b49-4b5e-a7bd-064b8d177231";
    let mut changed = client.get(policy).await.expect(200).json();
    changed["requestManagement"]["recalls"] =
        json!({"recallReturnInterval": {"duration": 1, "intervalId": "Minutes"}});
    let _ = client.put(policy, &changed).await.expect(204);
    let loan = client.post(OUT, &check_out("i-1", "p-0")).await;
    let loan = loan.expect(201).json();
    let recall = place(client, &asked(&stock, "Recall", &item, &first)).await;
    assert_eq!(recall["position"], 1);
    let path = format!(
        "/loan-storage/loans/{}",
        loan["id"].as_str().expect("an id")
    );
    let recalled = client.get(&path).await.expect(200).json();
    assert_eq!(recalled["action"], "recallrequested");
    assert_eq!(recalled["dueDateChangedByRecall"], true);
    assert!(recalled["dueDate"].as_str() < loan["dueDate"].as_str());
    let changes = told(&library, "circulation.LOAN_DUE_DATE_CHANGED").await;
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].1["dueDateChangedByRecall"], true);
    let again = place(client, &asked(&stock, "Recall", &item, &second)).await;
    assert_eq!(again["position"], 2);
    assert_eq!(client.get(&path).await.expect(200).json(), recalled);
    assert_eq!(status(client, &item).await, "Checked out");
    octavo_server_testkit::assert_in_order(&library).await;
}

#[tokio::test]
async fn a_hold_leaves_item_and_loan_as_they_are() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let _ = stock.patron("p-0").await;
    let requester = stock.patron("p-1").await;
    let proxy = stock
        .patron_with(
            "p-2",
            json!({"personal": {"lastName": "Ladislaw",
        "firstName": "Will", "middleName": "M", "preferredContactTypeId": "002"}}),
        )
        .await;
    let relation = json!({"userId": requester, "proxyUserId": proxy, "status": "Active"});
    let _ = client.post("/proxiesfor", &relation).await.expect(201);
    let loan = client.post(OUT, &check_out("i-1", "p-0")).await;
    let loan = loan.expect(201).json();
    let path = format!(
        "/loan-storage/loans/{}",
        loan["id"].as_str().expect("an id")
    );
    let before = client.get(&path).await.expect(200).json();
    let mut body = asked(&stock, "hold", &item, &requester);
    body["proxyUserId"] = json!(proxy);
    body["fulfillmentPreference"] = json!("Delivery");
    let _ = body
        .as_object_mut()
        .expect("an object")
        .remove("pickupServicePointId");
    let hold = place(client, &body).await;
    assert_eq!(client.get(&path).await.expect(200).json(), before);
    assert_eq!(status(client, &item).await, "Checked out");
    let path = format!("{STORED}/{}", hold["id"].as_str().expect("an id"));
    let stored = client.get(&path).await.expect(200).json();
    assert_eq!(stored["requestType"], "Hold");
    let person = json!({"lastName": "Ladislaw", "firstName": "Will", "middleName": "M",
                        "barcode": "p-2"});
    assert_eq!(stored["proxy"], person);
    assert_eq!(stored["searchIndex"].get("pickupServicePointName"), None);
    octavo_server_testkit::assert_in_order(&library).await;
}

#[tokio::test]
async fn a_client_that_knows_no_titles_names_an_item() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let requester = stock.patron("p-1").await;
    let body = json!({"requestType": "Page", "requestDate": "2026-02-02T10:00:00Z",
        "requesterId": requester, "itemId": item, "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": CIRC_DESK_2});
    let placed = place(client, &body).await;
    assert_eq!(placed["instanceId"], json!(stock.instance));
    assert_eq!(placed["holdingsRecordId"], json!(stock.holdings));
    assert_eq!(placed["requestLevel"], "Item");
    let mut unknown = body;
    unknown["itemId"] = json!(Uuid::new_v4());
    let errors = errors(client.post(REQUESTS, &unknown).await);
    let messages: Vec<_> = errors.iter().map(|one| &one["message"]).collect();
    let expected = [
        "Cannot create a request with no instance ID",
        "Cannot create a request with item ID but no holdings record ID",
    ];
    assert_eq!(messages, expected);
}
