//! The places of items within their holdings.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{ITEMS, Shelf, another_title, id, post};

const BATCH: &str = "/item-storage/batch/synchronous";

async fn place(shelf: &Shelf, item: &str) -> i64 {
    let item = shelf.read(ITEMS, item).await;
    item["order"].as_i64().expect("a place")
}

/// The places of all items of some holdings.
async fn places(shelf: &Shelf, holdings: &str) -> Vec<i64> {
    let query = format!("holdingsRecordId=={holdings}");
    let path = format!("{ITEMS}?limit=1000");
    let found = shelf.client.query(&path, &query).await.expect(200).json();
    let items = found["items"].as_array().expect("items");
    let places = items.iter().map(|item| item["order"].as_i64());
    let mut places: Vec<i64> = places.map(|place| place.expect("a place")).collect();
    places.sort_unstable();
    places
}

#[tokio::test]
async fn items_are_numbered_within_their_holdings() {
    let shelf = Shelf::new().await;
    let one = shelf.item("1001").await;
    assert_eq!(one["order"], 1);
    let mut second = shelf.an_item("1002");
    second["order"] = json!(7);
    assert_eq!(post(&shelf.client, ITEMS, second).await["order"], 7);
    assert_eq!(shelf.item("1003").await["order"], 8);
    let mut between = shelf.an_item("1004");
    between["order"] = json!(3);
    assert_eq!(post(&shelf.client, ITEMS, between).await["order"], 3);
    assert_eq!(shelf.item("1005").await["order"], 9);

    let (_, other) = another_title(&shelf, "Tunnels").await;
    let mut elsewhere = shelf.an_item("1006");
    elsewhere["holdingsRecordId"] = json!(other);
    assert_eq!(post(&shelf.client, ITEMS, elsewhere).await["order"], 1);

    for (wrong, status) in [(json!(3_000_000_000_i64), 422), (json!("first"), 400)] {
        let mut item = shelf.an_item("1007");
        item["order"] = wrong;
        let refused = shelf.client.post(ITEMS, &item).await.expect(status);
        assert!(refused.text.contains("order"), "{}", refused.text);
        let batch = json!({"items": [item]});
        let _ = shelf.client.post(BATCH, &batch).await.expect(status);
    }
}

#[tokio::test]
async fn an_item_keeps_its_place_until_it_goes_to_other_holdings() {
    let shelf = Shelf::new().await;
    let _ = shelf.item("1001").await;
    let item = id(&shelf.item("1002").await);
    let (_, other) = another_title(&shelf, "Tunnels").await;
    let path = format!("{ITEMS}/{item}");
    let replace = |change: fn(&mut Value), holdings: String| {
        let (shelf, path, item) = (&shelf, &path, &item);
        async move {
            let mut sent = shelf.read(ITEMS, item).await;
            sent.as_object_mut().expect("an object").remove("order");
            sent["holdingsRecordId"] = json!(holdings);
            change(&mut sent);
            let _ = shelf.client.put(path, &sent).await.expect(204);
        }
    };
    replace(|item| item["volume"] = json!("2"), shelf.holdings.clone()).await;
    assert_eq!(place(&shelf, &item).await, 2);
    replace(|item| item["order"] = json!(5), shelf.holdings.clone()).await;
    assert_eq!(place(&shelf, &item).await, 5);
    assert_eq!(shelf.item("1003").await["order"], 6);
    replace(|_| {}, other.clone()).await;
    assert_eq!(place(&shelf, &item).await, 1);
    replace(|_| {}, shelf.holdings.clone()).await;
    assert_eq!(place(&shelf, &item).await, 7);

    // Batches and patches are alike.
    let mut sent = shelf.read(ITEMS, &item).await;
    sent.as_object_mut().expect("an object").remove("order");
    let batch = json!({"items": [sent, shelf.an_item("1004"), shelf.an_item("1005")]});
    let upsert = format!("{BATCH}?upsert=true");
    let _ = shelf.client.post(&upsert, &batch).await.expect(201);
    assert_eq!(places(&shelf, &shelf.holdings).await, [1, 6, 7, 8, 9]);
    let version = shelf.read(ITEMS, &item).await["_version"].clone();
    let patch = json!({"items": [{"id": item, "_version": version, "holdingsRecordId": other}]});
    let request = shelf
        .client
        .request(http::Method::PATCH, ITEMS)
        .json(&patch);
    let _ = shelf.client.send(request).await.expect(204);
    // A patch says what it changes; the place is not among it.
    assert_eq!(place(&shelf, &item).await, 7);
}

#[tokio::test]
async fn those_who_add_items_to_the_same_holdings_at_once_get_different_places() {
    let shelf = Shelf::new().await;
    let (_, other) = another_title(&shelf, "Tunnels").await;
    let tasks: Vec<_> = (0..24_usize)
        .map(|at| {
            let client = shelf.client.clone();
            let mut items = [
                shelf.an_item(&format!("{at}-a")),
                shelf.an_item(&format!("{at}-b")),
            ];
            // Both holdings in one batch, in either order.
            items[at % 2]["holdingsRecordId"] = json!(other);
            let single = shelf.an_item(&format!("{at}-c"));
            tokio::spawn(async move {
                let _ = client
                    .post(BATCH, &json!({"items": items}))
                    .await
                    .expect(201);
                let _ = client.post(ITEMS, &single).await.expect(201);
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("stored");
    }
    for (holdings, many) in [(&shelf.holdings, 48), (&other, 24)] {
        let found: BTreeSet<i64> = places(&shelf, holdings).await.into_iter().collect();
        assert_eq!(found, (1..=many).collect::<BTreeSet<i64>>());
    }
}

#[tokio::test]
async fn holdings_from_before_go_on_from_the_items_they_have() {
    let shelf = Shelf::new().await;
    let _ = (shelf.item("1001").await, shelf.item("1002").await);
    let database = &shelf._library.platform.store.database;
    let forget = "DELETE FROM tenant_diku.item_order";
    let _ = database.execute(forget, &[]).await.expect("forgotten");
    let tasks: Vec<_> = (0..8)
        .map(|at| {
            let (client, item) = (shelf.client.clone(), shelf.an_item(&format!("n{at}")));
            tokio::spawn(async move { client.post(ITEMS, &item).await.expect(201) })
        })
        .collect();
    for task in tasks {
        task.await.expect("stored");
    }
    assert_eq!(
        places(&shelf, &shelf.holdings).await,
        (1..=10).collect::<Vec<i64>>()
    );
}
