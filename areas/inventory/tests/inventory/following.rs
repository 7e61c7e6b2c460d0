//! Items follow their holdings, however many there are and whatever else happens meanwhile.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{HOLDINGS, ITEMS, Shelf, id};

#[tokio::test]
async fn items_follow_their_holdings_with_versions_and_events() {
    let shelf = Shelf::new().await;
    let plain = shelf.item("1001").await;
    let mut own = shelf.an_item("1002");
    own["permanentLocationId"] = json!(shelf.stacks);
    own["itemLevelCallNumber"] = json!("A1");
    own["itemLevelCallNumberTypeId"] = json!(super::LIBRARY_OF_CONGRESS);
    let own = super::post(&shelf.client, ITEMS, own).await;

    let mut holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
    holdings["permanentLocationId"] = json!(shelf.display);
    holdings["callNumber"] = json!("TG200 .B7");
    let _ = shelf
        .client
        .put(&format!("{HOLDINGS}/{}", shelf.holdings), &holdings)
        .await
        .expect(204);
    let moved = shelf.read(ITEMS, &id(&plain)).await;
    assert_eq!(moved["effectiveLocationId"], shelf.display);
    assert_eq!(
        moved["effectiveCallNumberComponents"]["callNumber"],
        "TG200 .B7"
    );
    assert_eq!(moved["effectiveShelvingOrder"], "TG 3200 B7");
    assert_eq!(moved["_version"], 2);
    assert_eq!(moved["status"], plain["status"]);
    // An item with a location and call number of its own is left alone.
    assert_eq!(shelf.read(ITEMS, &id(&own)).await, own);

    let database = &shelf.library.platform.store.database;
    let sql = "SELECT type, old->>'_version', new->>'_version' FROM tenant_diku.outbox \
               WHERE topic = 'inventory.item' ORDER BY position";
    let rows = database
        .query(sql, &[])
        .await
        .expect("the outbox can be read");
    let events: Vec<(String, Option<String>, Option<String>)> = rows
        .iter()
        .map(|row| (row.get(0), row.get(1), row.get(2)))
        .collect();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        events,
        [
            ("CREATE".to_owned(), None, some("1")),
            ("CREATE".to_owned(), None, some("1")),
            ("UPDATE".to_owned(), some("1"), some("2")),
        ]
    );
}

#[tokio::test]
async fn thousands_of_items_follow_in_portions() {
    let shelf = Shelf::new().await;
    let items: Vec<Value> = (0..2_500)
        .map(|number| shelf.an_item(&format!("b{number}")))
        .collect();
    let batch = json!({"items": items});
    let _ = shelf
        .client
        .post("/item-storage/batch/synchronous", &batch)
        .await
        .expect(201);
    let mut holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
    holdings["temporaryLocationId"] = json!(shelf.display);
    let path = format!("{HOLDINGS}/{}", shelf.holdings);
    let _ = shelf.client.put(&path, &holdings).await.expect(204);
    let query = format!("effectiveLocationId=={}", shelf.display);
    let answer = shelf
        .client
        .query(&format!("{ITEMS}?limit=0"), &query)
        .await
        .expect(200);
    assert_eq!(answer.json()["totalRecords"], 2_500);
}

#[tokio::test]
async fn deleted_items_are_kept_and_told_with_their_instance() {
    let shelf = Shelf::new().await;
    let item = shelf.item("1001").await;
    let path = format!("{ITEMS}/{}", id(&item));
    let _ = shelf.client.delete(&path).await.expect(204);
    let database = &shelf.library.platform.store.database;
    let sql = "SELECT (SELECT jsonb FROM tenant_diku.audit_item), (SELECT value FROM \
               tenant_diku.outbox_event ORDER BY position DESC LIMIT 1)";
    let rows = database.query(sql, &[]).await.expect("both are there");
    let (kept, told): (Value, Value) = (rows[0].get(0), rows[0].get(1));
    assert_eq!((&kept["operation"], &kept["record"]), (&json!("D"), &item));
    assert_eq!(
        (&told["type"], &told["tenant"]),
        (&json!("DELETE"), &json!("diku"))
    );
    assert_eq!(told["old"]["instanceId"], json!(shelf.instance));
    let mut old = told["old"].clone();
    old.as_object_mut().expect("a record").remove("instanceId");
    assert_eq!(old, item);
}

#[tokio::test]
async fn an_item_that_comes_while_its_holdings_move_is_where_they_are() {
    let shelf = Arc::new(Shelf::new().await);
    let path = format!("{HOLDINGS}/{}", shelf.holdings);
    let mover = {
        let (shelf, path) = (Arc::clone(&shelf), path.clone());
        tokio::spawn(async move {
            for round in 0..20 {
                let mut holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
                let to = if round % 2 == 0 {
                    &shelf.display
                } else {
                    &shelf.stacks
                };
                holdings["permanentLocationId"] = json!(to);
                let _ = shelf.client.put(&path, &holdings).await.expect(204);
            }
        })
    };
    let desks: Vec<_> = (0..4)
        .map(|desk| {
            let shelf = Arc::clone(&shelf);
            tokio::spawn(async move {
                for number in 0..10 {
                    let mut item = shelf.item(&format!("{desk}-{number}")).await;
                    // Replaced at once: either it is still the item that was made, or it moved.
                    item["copyNumber"] = json!("c.1");
                    let path = format!("{ITEMS}/{}", id(&item));
                    let answer = shelf.client.put(&path, &item).await;
                    assert!(matches!(answer.status, 204 | 409), "{}", answer.text);
                }
            })
        })
        .collect();
    mover.await.expect("the holdings move");
    for desk in desks {
        desk.await.expect("the items come");
    }
    let holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
    let query = format!("holdingsRecordId=={}", shelf.holdings);
    let items = shelf
        .client
        .query(&format!("{ITEMS}?limit=100"), &query)
        .await
        .expect(200)
        .json();
    let items = items["items"].as_array().expect("items");
    assert_eq!(items.len(), 40);
    for item in items {
        assert_eq!(item["effectiveLocationId"], holdings["effectiveLocationId"]);
    }
}
