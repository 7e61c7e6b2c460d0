//! Searches that the published plans run, across records where FOLIO's do.

use serde_json::{Value, json};

use super::{HOLDINGS, INSTANCES, ITEMS, Shelf, an_instance, post};

async fn found(shelf: &Shelf, path: &str, key: &str, query: &str) -> Vec<String> {
    let body = shelf.client.query(path, query).await.expect(200).json();
    let records = body[key].as_array().expect("a list");
    records
        .iter()
        .map(|one| one["id"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[tokio::test]
async fn instances_are_found_by_their_items_and_items_by_their_instance() {
    let shelf = Shelf::new().await;
    let _ = post(&shelf.client, INSTANCES, an_instance("Tunnels")).await;
    let item = super::id(&shelf.item("1001").await);
    for path in [INSTANCES, "/inventory/instances"] {
        let instances = found(&shelf, path, "instances", "item.barcode==1001").await;
        assert_eq!(instances, std::slice::from_ref(&shelf.instance));
        assert!(
            found(&shelf, path, "instances", "item.barcode==7")
                .await
                .is_empty()
        );
    }
    for path in [ITEMS, "/inventory/items"] {
        for query in [
            "instance.title=bridges",
            "holdingsRecords.callNumber==\"TG145*\"",
        ] {
            assert_eq!(
                found(&shelf, path, "items", query).await,
                std::slice::from_ref(&item),
                "{query}"
            );
        }
        assert!(
            found(&shelf, path, "items", "instance.title=tunnels")
                .await
                .is_empty()
        );
    }
    let holdings = found(&shelf, HOLDINGS, "holdingsRecords", "item.barcode==1001").await;
    assert_eq!(holdings, std::slice::from_ref(&shelf.holdings));
}

#[tokio::test]
async fn keyword_searches_come_in_the_order_of_titles() {
    let shelf = Shelf::new().await;
    for title in ["Sabaki Aba", "Aba baskets", "An aba of one's own"] {
        let _ = post(&shelf.client, INSTANCES, an_instance(title)).await;
    }
    let answer = shelf
        .client
        .query(
            "/inventory/instances?limit=100",
            "(keyword all \"aba\") sortby title",
        )
        .await
        .expect(200)
        .json();
    let titles: Vec<&str> = answer["instances"]
        .as_array()
        .expect("instances")
        .iter()
        .filter_map(|instance| instance["title"].as_str())
        .collect();
    assert_eq!(titles, ["Aba baskets", "An aba of one's own", "Sabaki Aba"]);
    assert_eq!(answer["totalRecords"], 3);
}

#[tokio::test]
async fn retrieve_is_a_list_by_post() {
    let shelf = Shelf::new().await;
    let _ = (shelf.item("1001").await, shelf.item("1002").await);
    let body = json!({"query": "barcode==100* sortby barcode", "limit": 1, "offset": 1});
    for (path, key, query) in [
        ("/item-storage/items/retrieve", "items", body.clone()),
        ("/inventory/items/retrieve", "items", body),
        (
            "/holdings-storage/holdings/retrieve",
            "holdingsRecords",
            json!({}),
        ),
        (
            "/instance-storage/instances/retrieve",
            "instances",
            json!({"query": "title=bridges"}),
        ),
    ] {
        let answer = shelf.client.post(path, &query).await.expect(200).json();
        assert_eq!(answer[key].as_array().map(Vec::len), Some(1), "{path}");
        if key == "items" {
            assert_eq!(answer["items"][0]["barcode"], "1002");
            assert_eq!(answer["totalRecords"], 2);
        }
    }
    let path = "/item-storage/items/retrieve";
    for (body, status) in [
        (json!({"limit": -1}), 422),
        (json!({"totalRecords": "all"}), 400),
        // FOLIO's type is open.
        (json!({"limits": 1}), 200),
    ] {
        let _ = shelf.client.post(path, &body).await.expect(status);
    }
    let wrong: Value = json!({"query": "barcode=="});
    let _ = shelf.client.post(path, &wrong).await.expect(400);
}

#[tokio::test]
async fn blocked_fields_are_listed() {
    let shelf = Shelf::new().await;
    for (noun, field) in [("instances", "title"), ("holdings", "callNumber")] {
        let path = format!("/inventory/config/{noun}/blocked-fields");
        let body = shelf.client.get(&path).await.expect(200).json();
        let fields = body["blockedFields"].as_array().expect("fields");
        assert!(fields.iter().any(|one| one == field), "{noun}");
    }
}
