//! What may leave the hold shelf of a service point.

use serde_json::{Value, json};

use super::support::wait;
use super::{check_in, stocked};
use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2, Stock};

async fn shelf(stock: &Stock, point: &str) -> Vec<Value> {
    let path = format!("/circulation/requests-reports/hold-shelf-clearance/{point}");
    let told = stock.client.get(&path).await.expect(200).json();
    let requests = told["requests"].as_array().expect("a list");
    assert_eq!(told["totalRecords"], requests.len());
    requests.clone()
}

/// An item that waits for the requester of this request.
async fn shelved(stock: &Stock, barcode: &str, patron: &str) -> (String, String) {
    let item = stock.item(barcode).await;
    let request = wait(stock, "Page", &item, patron, json!({})).await;
    let _ = stock
        .client
        .post(super::IN, &check_in(barcode, CIRC_DESK_1))
        .await
        .expect(200);
    (item, request)
}

async fn close(stock: &Stock, request: &str, status: &str) {
    let path = format!("/request-storage/requests/{request}");
    let mut closed = stock.client.get(&path).await.expect(200).json();
    assert_eq!(closed["status"], "Open - Awaiting pickup");
    closed["status"] = json!(status);
    if let Some(closed) = closed.as_object_mut() {
        let _ = closed.remove("position");
    }
    let _ = stock.client.put(&path, &closed).await.expect(204);
}

#[tokio::test]
async fn items_that_wait_for_nobody_any_more_are_told_with_the_last_request() {
    let (_library, stock) = stocked().await;
    let first = stock.patron("p-1").await;
    let second = stock.patron("p-2").await;
    assert_eq!(shelf(&stock, CIRC_DESK_1).await.len(), 0);
    let (_, expired) = shelved(&stock, "i-1", &first).await;
    let (item, cancelled) = shelved(&stock, "i-2", &first).await;
    let _ = shelved(&stock, "i-3", &second).await;
    assert_eq!(shelf(&stock, CIRC_DESK_1).await.len(), 0);
    close(&stock, &expired, "Closed - Pickup expired").await;
    close(&stock, &cancelled, "Closed - Cancelled").await;
    let told = shelf(&stock, CIRC_DESK_1).await;
    // The one that was closed last comes first.
    let ids: Vec<_> = told.iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, [&json!(cancelled), &json!(expired)]);
    assert_eq!(told[0]["item"]["barcode"], "i-2");
    assert_eq!(told[0]["requester"]["barcode"], "p-1");
    assert!(told[0]["awaitingPickupRequestClosedDate"].is_string());
    assert_eq!(shelf(&stock, CIRC_DESK_2).await.len(), 0);

    // A request after the cancelled one that waits for the item keeps it there.
    let more = json!({"status": "Open - Awaiting pickup"});
    let next = wait(&stock, "Hold", &item, &second, more).await;
    let told = shelf(&stock, CIRC_DESK_1).await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["id"], json!(expired));
    close(&stock, &next, "Closed - Pickup expired").await;
    let told = shelf(&stock, CIRC_DESK_1).await;
    assert_eq!(told[0]["id"], json!(next));
    // Taken in again, the item is no longer on the shelf.
    let _ = stock
        .client
        .post(super::IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    assert_eq!(shelf(&stock, CIRC_DESK_1).await.len(), 1);
    let path = "/circulation/requests-reports/hold-shelf-clearance/desk";
    let _ = stock.client.get(path).await.expect(400);
}
