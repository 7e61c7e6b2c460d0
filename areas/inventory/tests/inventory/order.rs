//! What only later releases of FOLIO know of items and holdings (`order`, `additionalCallNumbers`):
//! stored when a client sends it, and never added. Clients of the release refuse what they do not know.

use serde_json::{Value, json};

use super::{HOLDINGS, ITEMS, Shelf, another_title, error, id, post};

const BATCH: &str = "/item-storage/batch/synchronous";

fn assert_plain(record: &Value) {
    for property in ["order", "additionalCallNumbers"] {
        assert!(record.get(property).is_none(), "{property}: {record}");
    }
}

#[tokio::test]
async fn nothing_of_later_releases_is_added() {
    let shelf = Shelf::new().await;
    assert_plain(&shelf.read(HOLDINGS, &shelf.holdings).await);
    let one = shelf.item("1001").await;
    assert_plain(&one);
    let two = shelf.an_item("1002");
    assert_plain(&post(&shelf.client, "/inventory/items", two).await);
    let batch = json!({"items": [shelf.an_item("1003")]});
    let _ = shelf.client.post(BATCH, &batch).await.expect(201);

    // Nor by a change, by a change of the holdings, or by a move.
    let mut changed = one.clone();
    changed["volume"] = json!("2");
    let path = format!("{ITEMS}/{}", id(&one));
    let _ = shelf.client.put(&path, &changed).await.expect(204);
    let mut holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
    holdings["callNumber"] = json!("TG1 .A1");
    let by_id = format!("{HOLDINGS}/{}", shelf.holdings);
    let _ = shelf.client.put(&by_id, &holdings).await.expect(204);
    assert_plain(&shelf.read(HOLDINGS, &shelf.holdings).await);
    let (_, other) = another_title(&shelf, "Tunnels").await;
    let moved = json!({"toHoldingsRecordId": other, "itemIds": [id(&one)]});
    let _ = shelf
        .client
        .post("/inventory/items/move", &moved)
        .await
        .expect(200);
    for list in [
        "/item-storage/items",
        "/inventory/items",
        "/item-storage-dereferenced/items",
    ] {
        let page = shelf.client.get(&format!("{list}?limit=100")).await;
        let page = page.expect(200).json();
        let items = page
            .as_object()
            .and_then(|page| page.values().find_map(Value::as_array));
        let items = items.expect("items");
        assert_eq!(items.len(), 3, "{list}");
        items.iter().for_each(assert_plain);
    }
}

#[tokio::test]
async fn what_a_client_sends_of_later_releases_is_kept() {
    let shelf = Shelf::new().await;
    let numbers = json!([{"callNumber": "TG2 .B2"}]);
    let mut item = shelf.an_item("1001");
    item["order"] = json!(7);
    item["additionalCallNumbers"] = numbers.clone();
    let mut item = post(&shelf.client, ITEMS, item).await;
    let path = format!("{ITEMS}/{}", id(&item));
    item["volume"] = json!("2");
    let _ = shelf.client.put(&path, &item).await.expect(204);
    let stored = shelf.read(ITEMS, &id(&item)).await;
    assert_eq!(
        (&stored["order"], &stored["additionalCallNumbers"]),
        (&json!(7), &numbers)
    );
    let mut holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
    holdings["additionalCallNumbers"] = numbers.clone();
    let by_id = format!("{HOLDINGS}/{}", shelf.holdings);
    let _ = shelf.client.put(&by_id, &holdings).await.expect(204);
    let stored = shelf.read(HOLDINGS, &shelf.holdings).await;
    assert_eq!(stored["additionalCallNumbers"], numbers);

    let mut wrong = shelf.an_item("1007");
    wrong["order"] = json!(3_000_000_000_i64);
    let refused = shelf.client.post(ITEMS, &wrong).await.expect(422).json();
    assert_eq!(error(&refused).1, "order");
    let batch = json!({"items": [wrong]});
    let _ = shelf.client.post(BATCH, &batch).await.expect(422);
}

/// Properties that the release shows with an item's notes are sent back with them and ignored.
#[tokio::test]
async fn the_type_of_a_note_may_come_back_and_is_dropped() {
    let shelf = Shelf::new().await;
    let mut item = shelf.an_item("1001");
    item["notes"] = json!([{"note": "damp", "itemNoteType": {"name": "Note", "source": "folio"}}]);
    let stored = post(&shelf.client, ITEMS, item).await;
    assert_eq!(
        stored["notes"],
        json!([{"note": "damp", "staffOnly": false}])
    );
}
