//! `/hrid-settings-storage/hrid-settings`, and the ids that are made by them.

use serde_json::{Value, json};

use super::{HOLDINGS, INSTANCES, ITEMS, Shelf, an_instance, error, post};

const SETTINGS: &str = "/hrid-settings-storage/hrid-settings";

fn settings(start: i64, zeroes: bool) -> Value {
    json!({
        "instances": {"prefix": "bib-", "startNumber": start},
        "holdings": {"startNumber": start},
        "items": {"prefix": "x.", "startNumber": start},
        "commonRetainLeadingZeroes": zeroes,
    })
}

#[tokio::test]
async fn settings_say_how_far_the_numbers_are() {
    let shelf = Shelf::new().await;
    let current = shelf.client.get(SETTINGS).await.expect(200).json();
    assert_eq!(current["instances"]["prefix"], "in");
    assert_eq!(current["instances"]["currentNumber"], 1);
    assert_eq!(current["holdings"]["currentNumber"], 1);
    assert_eq!(current["items"]["currentNumber"], 0);
    assert_eq!(current["commonRetainLeadingZeroes"], true);
}

#[tokio::test]
async fn other_settings_restart_the_numbers() {
    let shelf = Shelf::new().await;
    let _ = shelf
        .client
        .put(SETTINGS, &settings(500, false))
        .await
        .expect(204);
    let instance = post(&shelf.client, INSTANCES, an_instance("Tunnels")).await;
    assert_eq!(instance["hrid"], "bib-500");
    let item = shelf.item("1001").await;
    assert_eq!(item["hrid"], "x.500");
    let mut holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
    for property in ["id", "hrid"] {
        holdings
            .as_object_mut()
            .expect("an object")
            .remove(property);
    }
    assert_eq!(post(&shelf.client, HOLDINGS, holdings).await["hrid"], "500");
    let current = shelf.client.get(SETTINGS).await.expect(200).json();
    assert_eq!(current["id"], "a501f2a8-5b31-48b2-874d-2191e48db8cd");
    assert_eq!(current["items"]["startNumber"], 500);
    assert_eq!(current["items"]["currentNumber"], 500);

    let _ = shelf
        .client
        .put(SETTINGS, &settings(7, true))
        .await
        .expect(204);
    let items = json!({"items": [shelf.an_item("1002"), shelf.an_item("1003")]});
    let _ = shelf
        .client
        .post("/item-storage/batch/synchronous", &items)
        .await
        .expect(201);
    let found = shelf
        .client
        .query(ITEMS, "barcode==1003")
        .await
        .expect(200)
        .json();
    assert_eq!(found["items"][0]["hrid"], "x.00000000008");
}

#[tokio::test]
async fn impossible_settings_change_nothing() {
    let shelf = Shelf::new().await;
    let before = shelf.client.get(SETTINGS).await.expect(200).json();
    let mut long = settings(1, true);
    long["holdings"]["prefix"] = json!("much-too-long");
    let answer = shelf.client.put(SETTINGS, &long).await.expect(422).json();
    assert_eq!(error(&answer).1, "holdings.prefix");
    for start in [0, -1, 100_000_000_000] {
        let answer = shelf
            .client
            .put(SETTINGS, &settings(start, true))
            .await
            .expect(422)
            .json();
        assert_eq!(error(&answer).1, "instances.startNumber");
    }
    let _ = shelf.client.put(SETTINGS, &json!({})).await.expect(422);
    assert_eq!(shelf.client.get(SETTINGS).await.expect(200).json(), before);
}
