//! Histories of orders, lines and pieces.

use serde_json::{Value, json};

use super::shop::Shop;
use super::{change, events, got, text};

/// The actions and one property of the snapshots, the oldest first.
fn told(events: &[Value], snapshot: &str, property: &str) -> Vec<(String, Value)> {
    let of = |event: &Value| (text(&event["action"]), event[snapshot][property].clone());
    events.iter().rev().map(of).collect()
}

#[tokio::test]
async fn an_order_is_created_changed_and_opened() {
    let shop = Shop::new().await;
    let client = &shop.client;
    let order = shop.order().await;
    let id = text(&order["id"]);
    let path = format!("/orders/composite-orders/{id}");
    change(client, &path, |order| order["notes"] = json!(["urgent"])).await;
    shop.open(&order).await;
    let history = events(client, &format!("order/{id}"), "orderAuditEvents").await;
    let statuses = told(&history, "orderSnapshot", "workflowStatus");
    assert_eq!(
        statuses.first(),
        Some(&("Create".to_owned(), json!("Pending")))
    );
    assert_eq!(statuses.last(), Some(&("Edit".to_owned(), json!("Open"))));
    let notes = told(&history, "orderSnapshot", "notes");
    let changed = notes
        .iter()
        .position(|(_, notes)| notes == &json!(["urgent"]));
    assert!(
        changed.is_some_and(|at| at > 0 && statuses[at].1 == "Pending"),
        "{history:?}"
    );
    let stored = got(client, &format!("/orders-storage/purchase-orders/{id}")).await;
    for event in &history {
        assert_eq!(event["orderId"], json!(id));
        assert_eq!(event["userId"], stored["metadata"]["updatedByUserId"]);
        assert!(event["orderSnapshot"].get("metadata").is_none());
        assert!(event["actionDate"].is_string() && event["eventDate"].is_string());
    }
    // The other way round, and in pages.
    let page = |rest: &str| format!("/audit-data/acquisition/order/{id}?{rest}");
    let oldest = got(client, &page("sortOrder=asc&limit=1")).await;
    assert_eq!(oldest["orderAuditEvents"], json!([history.last()]));
    assert_eq!(oldest["totalItems"], history.len());
    let behind = got(client, &page("sortBy=event_date&offset=1000")).await;
    assert_eq!(behind["orderAuditEvents"], json!([]));
    for wrong in ["sortOrder=up", "sortBy=1;DROP"] {
        let _ = client.get(&page(wrong)).await.expect(422);
    }
    let _ = client.get(&page("limit=-1")).await.expect(400);
    let _ = client
        .get("/audit-data/acquisition/order/x")
        .await
        .expect(422);

    let line = text(&order["compositePoLines"][0]["id"]);
    let lines = events(
        client,
        &format!("order-line/{line}"),
        "orderLineAuditEvents",
    )
    .await;
    let statuses = told(&lines, "orderLineSnapshot", "paymentStatus");
    assert_eq!(
        statuses.first(),
        Some(&("Create".to_owned(), json!("Pending")))
    );
    assert_eq!(
        statuses.last(),
        Some(&("Edit".to_owned(), json!("Awaiting Payment")))
    );
    assert!(lines.iter().all(|event| event["orderId"] == json!(id)));
}

#[tokio::test]
async fn of_a_piece_the_changes_of_its_status_can_be_asked_for() {
    let shop = Shop::new().await;
    let client = &shop.client;
    let order = shop.order().await;
    shop.open(&order).await;
    let pieces = got(client, "/orders/pieces").await;
    let piece = pieces["pieces"][0].clone();
    let id = text(&piece["id"]);
    let path = format!("/orders/pieces/{id}");
    let comment = |comment: &'static str| {
        let path = path.clone();
        async move { change(client, &path, |piece| piece["comment"] = json!(comment)).await }
    };
    comment("first").await;
    let body = json!({"toBeReceived": [{"poLineId": piece["poLineId"], "received": 1, "receivedItems": [
        {"pieceId": id, "itemStatus": "In process", "locationId": shop.stock.location}]}],
        "totalRecords": 1});
    let received = client
        .post("/orders/receive", &body)
        .await
        .expect(200)
        .json();
    let outcome = &received["receivingResults"][0]["receivingItemResults"][0]["processingStatus"];
    assert_eq!(outcome["type"], "success", "{received}");
    comment("second").await;
    let history = events(client, &format!("piece/{id}"), "pieceAuditEvents").await;
    let comments = told(&history, "pieceSnapshot", "comment");
    assert!(comments.len() >= 4, "{comments:?}");
    assert_eq!(comments.last(), Some(&("Edit".to_owned(), json!("second"))));
    let path = format!("piece/{id}/status-change-history");
    let statuses = events(client, &path, "pieceAuditEvents").await;
    assert_eq!(
        told(&statuses, "pieceSnapshot", "receivingStatus"),
        [
            ("Create".to_owned(), json!("Expected")),
            ("Edit".to_owned(), json!("Received"))
        ]
    );
}
