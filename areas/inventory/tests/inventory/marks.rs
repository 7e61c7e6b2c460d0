//! `/inventory/items/{id}/mark-…`: what staff say about an item, and whom it concerns.

use octavo_testkit::{Client, Library};
use reqwest::Method;
use serde_json::{Value, json};

use super::{NOWHERE, error};
use octavo_server_testkit::library;
use octavo_server_testkit::stock::{CIRC_DESK_1, DVD, Stock, check_out};

const OUT: &str = "/circulation/check-out-by-barcode";

/// Names of paths and of statuses.
const MARKS: [(&str, &str); 9] = [
    ("in-process", "In process"),
    ("in-process-non-requestable", "In process (non-requestable)"),
    ("intellectual-item", "Intellectual item"),
    ("long-missing", "Long missing"),
    ("missing", "Missing"),
    ("restricted", "Restricted"),
    ("unavailable", "Unavailable"),
    ("unknown", "Unknown"),
    ("withdrawn", "Withdrawn"),
];

async fn stocked() -> (Library, Stock) {
    let library = library().await;
    let stock = Stock::new(library.client().await).await;
    (library, stock)
}

async fn mark(client: &Client, item: &str, name: &str) -> octavo_testkit::Answer {
    let path = format!("/inventory/items/{item}/mark-{name}");
    client.send(client.request(Method::POST, &path)).await
}

async fn stored(client: &Client, item: &str) -> Value {
    let path = format!("/item-storage/items/{item}");
    client.get(&path).await.expect(200).json()
}

#[tokio::test]
async fn an_available_item_is_marked_as_each_of_the_nine() {
    let (_library, stock) = stocked().await;
    for (name, status) in MARKS {
        let item = stock.item(name).await;
        let before = stored(&stock.client, &item).await;
        let answer = mark(&stock.client, &item, name).await.expect(200);
        let shown = answer.json();
        assert_eq!(shown["status"]["name"], status);
        assert_eq!(shown["title"], "Middlemarch");
        let after = stored(&stock.client, &item).await;
        assert_eq!(after["status"], shown["status"]);
        assert_ne!(after["status"]["date"], before["status"]["date"]);
        assert_eq!(after["_version"], 2);
        assert_eq!(after["effectiveLocationId"], before["effectiveLocationId"]);
        // Once more: it is that already.
        let refused = mark(&stock.client, &item, name).await.expect(422).json();
        let sentence = format!("Item is not allowed to be marked as {status}");
        assert_eq!(error(&refused), (sentence, "status.name".to_owned()));
        assert_eq!(refused["errors"][0]["parameters"][0]["value"], status);
    }
}

#[tokio::test]
async fn what_a_patron_has_is_not_missing_but_may_be_unknown() {
    let (_library, stock) = stocked().await;
    let item = stock.item_of("lent", DVD, "Checked out").await;
    for name in ["missing", "withdrawn"] {
        let refused = mark(&stock.client, &item, name).await.expect(422).json();
        assert_eq!(
            refused["errors"][0]["parameters"][0]["value"],
            "Checked out"
        );
    }
    assert_eq!(stored(&stock.client, &item).await["_version"], 1);
    let _ = mark(&stock.client, &item, "unknown").await.expect(200);
}

#[tokio::test]
async fn only_an_item_can_be_marked() {
    let (_library, stock) = stocked().await;
    for (name, _) in MARKS {
        let answer = mark(&stock.client, NOWHERE, name).await.expect(404);
        assert_eq!(answer.text, "No item found");
        let _ = mark(&stock.client, "nonsense", name).await.expect(400);
    }
    let item = stock.item("one").await;
    let _ = mark(&stock.client, &item, "lost-in-space")
        .await
        .expect(404);
}

/// A request in a status, and what it has beside.
async fn request(stock: &Stock, item: &str, position: u32, more: Value) -> String {
    let patron = stock.patron(&format!("p-{item}-{position}")).await;
    let mut request = json!({"requestLevel": "Item", "requestType": "Hold",
        "requestDate": "2026-02-02T10:00:00Z", "requesterId": patron,
        "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": item,
        "position": position, "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": CIRC_DESK_1});
    if let (Some(request), Some(more)) = (request.as_object_mut(), more.as_object()) {
        request.extend(more.clone());
    }
    let path = "/request-storage/requests";
    let stored = stock.client.post(path, &request).await.expect(201).json();
    super::id(&stored)
}

#[tokio::test]
async fn the_request_that_an_item_was_to_fill_is_open_again() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    for (number, (held, until, then)) in [
        (
            "Open - Awaiting pickup",
            "2999-01-01T00:00:00Z",
            "Open - Not yet filled",
        ),
        (
            "Open - Awaiting delivery",
            "2999-01-01T00:00:00Z",
            "Open - Not yet filled",
        ),
        (
            "Open - In transit",
            "2999-01-01T00:00:00Z",
            "Open - Not yet filled",
        ),
        (
            "Open - Awaiting pickup",
            "2020-01-01T00:00:00Z",
            "Open - Awaiting pickup",
        ),
        (
            "Open - Not yet filled",
            "2999-01-01T00:00:00Z",
            "Open - Not yet filled",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let item = stock
            .item_of(&format!("i-{number}"), DVD, "Awaiting pickup")
            .await;
        let more = json!({"status": held, "holdShelfExpirationDate": until});
        let first = request(&stock, &item, 1, more).await;
        let waiting = json!({"status": "Open - Not yet filled"});
        let second = request(&stock, &item, 2, waiting).await;
        let _ = mark(client, &item, "missing").await.expect(200);
        let read = async |id: &str| {
            let path = format!("/request-storage/requests/{id}");
            client.get(&path).await.expect(200).json()
        };
        let (first, second) = (read(&first).await, read(&second).await);
        assert_eq!(first["status"], then, "{held} until {until}");
        assert_eq!(first["position"], 1);
        assert_eq!(second["status"], "Open - Not yet filled");
    }
    // There are events about the three that changed.
    let database = &library.platform.store.database;
    let sql = "SELECT count(*) FROM tenant_diku.outbox WHERE topic = 'circulation.request' \
               AND type = 'UPDATE'";
    let rows = database.query(sql, &[]).await.expect("the outbox");
    assert_eq!(rows[0].get::<_, i64>(0), 3);
}

#[tokio::test]
async fn a_refused_mark_leaves_the_request_alone() {
    let (_library, stock) = stocked().await;
    let item = stock.item_of("i", DVD, "Declared lost").await;
    let held = json!({"status": "Open - Awaiting pickup"});
    let request = request(&stock, &item, 1, held).await;
    let _ = mark(&stock.client, &item, "missing").await.expect(422);
    let path = format!("/request-storage/requests/{request}");
    let request = stock.client.get(&path).await.expect(200).json();
    assert_eq!(request["status"], "Open - Awaiting pickup");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_item_is_lent_or_missing_whoever_comes_first() {
    let (_library, stock) = stocked().await;
    let _ = stock.patron("p").await;
    for round in 0..12 {
        let barcode = format!("i-{round}");
        let item = stock.item(&barcode).await;
        let lending = {
            let (client, body) = (stock.client.clone(), check_out(&barcode, "p"));
            tokio::spawn(async move { client.post(OUT, &body).await.status })
        };
        let marked = mark(&stock.client, &item, "missing").await;
        let lent = lending.await.expect("the check-out ends") == 201;
        let now = stored(&stock.client, &item).await["status"]["name"].clone();
        let loans = stock
            .client
            .query("/loan-storage/loans", &format!("itemId=={item}"))
            .await
            .expect(200)
            .json();
        assert_eq!(loans["totalRecords"], u64::from(lent), "{round}");
        match (lent, marked.status) {
            // Marked first, and lent anyway where that is allowed.
            (true, 200) => assert_eq!(now, "Checked out", "{round}"),
            (true, _) => {
                assert_eq!(marked.status, 422, "{}", marked.text);
                let body = marked.json();
                let value = &body["errors"][0]["parameters"][0]["value"];
                assert_eq!(value, "Checked out", "{round}");
                assert_eq!(now, "Checked out", "{round}");
            }
            (false, status) => {
                assert_eq!(status, 200, "{round}: {}", marked.text);
                assert_eq!(now, "Missing", "{round}");
            }
        }
    }
}
