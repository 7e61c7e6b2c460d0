//! Loans that concern others: requests for the item, and proxies.

use serde_json::json;

use super::{IN, OUT, check_in, messages, stocked};
use octavo_server_testkit::stock::{CIRC_DESK_1, check_out};

#[tokio::test]
async fn requests_decide_where_an_item_goes() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-9").await;
    let _ = stock.patron("p-9").await;
    let first = stock.patron("p-10").await;
    let second = stock.patron("p-11").await;
    let _ = client.post(OUT, &check_out("i-9", "p-9")).await.expect(201);
    let mut ids = Vec::new();
    for (position, requester) in [(1, &first), (2, &second)] {
        let request = json!({"requestLevel": "Item", "requestType": "Hold",
            "requestDate": "2026-02-02T10:00:00Z", "requesterId": requester,
            "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": item,
            "status": "Open - Not yet filled", "position": position,
            "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": CIRC_DESK_1});
        let stored = client
            .post("/request-storage/requests", &request)
            .await
            .expect(201)
            .json();
        ids.push(stored["id"].as_str().expect("the request's id").to_owned());
    }
    let back = client
        .post(IN, &check_in("i-9", CIRC_DESK_1))
        .await
        .expect(200)
        .json();
    assert_eq!(back["item"]["status"]["name"], "Awaiting pickup");
    assert_eq!(back["staffSlipContext"]["requester"]["barcode"], "p-10");
    let waiting = client
        .query(
            "/circulation/requests",
            &format!("(itemId=={item} and (status==\"Open - Awaiting pickup\" or status==\"Open - Awaiting delivery\"))"),
        )
        .await
        .expect(200)
        .json();
    assert_eq!(waiting["totalRecords"], 1);
    assert_eq!(waiting["requests"][0]["id"], json!(ids[0]));
    assert_eq!(waiting["requests"][0]["requester"]["barcode"], "p-10");
    // It waits for the first requester and for nobody else.
    let answer = client
        .post(OUT, &check_out("i-9", "p-11"))
        .await
        .expect(422)
        .json();
    assert_eq!(
        messages(&answer),
        [
            "Middlemarch (Barcode: i-9) cannot be checked out to user Brooke, Dorothea because it \
          has been requested by another patron"
        ]
    );
    let _ = client
        .post(OUT, &check_out("i-9", "p-10"))
        .await
        .expect(201);
    let filled = client
        .get(&format!("/circulation/requests/{}", ids[0]))
        .await
        .expect(200)
        .json();
    assert_eq!(filled["status"], "Closed - Filled");
    let moved = client
        .get(&format!("/circulation/requests/{}", ids[1]))
        .await
        .expect(200)
        .json();
    assert_eq!(moved["position"], 1);
}

#[tokio::test]
async fn a_proxy_borrows_for_their_sponsor() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let _ = stock.item("i-20").await;
    let sponsor = stock.patron("p-20").await;
    let proxy = stock.patron("p-21").await;
    let mut body = check_out("i-20", "p-20");
    body["proxyUserBarcode"] = json!("p-21");
    let answer = client.post(OUT, &body).await.expect(422).json();
    assert_eq!(messages(&answer).len(), 1, "{answer}");
    let relation = json!({"userId": sponsor, "proxyUserId": proxy, "status": "Active"});
    let _ = client.post("/proxiesfor", &relation).await.expect(201);
    let loan = client.post(OUT, &body).await.expect(201).json();
    assert_eq!(loan["userId"], json!(sponsor));
    assert_eq!(loan["proxyUserId"], json!(proxy));
}
