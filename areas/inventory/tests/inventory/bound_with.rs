//! Items that bind several titles.

use serde_json::{Value, json};

use super::{ITEMS, NOWHERE, Shelf, another_title, error, id, post};

const BIND: &str = "/inventory-storage/bound-withs";
const PARTS: &str = "/inventory-storage/bound-with-parts";

fn binding(item: &str, holdings: &[&str]) -> Value {
    let contents: Vec<Value> = holdings
        .iter()
        .map(|id| json!({"holdingsRecordId": id}))
        .collect();
    json!({"itemId": item, "boundWithContents": contents})
}

/// The holdings that an item is bound with, in order.
async fn bound(shelf: &Shelf, item: &str) -> Vec<String> {
    let query = format!("itemId=={item}");
    let found = shelf.client.query(PARTS, &query).await.expect(200).json();
    let parts = found["boundWithParts"].as_array().expect("parts");
    let mut holdings: Vec<String> = parts
        .iter()
        .map(|part| part["holdingsRecordId"].as_str().expect("an id").to_owned())
        .collect();
    holdings.sort();
    holdings
}

fn sorted(ids: &[&str]) -> Vec<String> {
    let mut ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    ids.sort();
    ids
}

#[tokio::test]
async fn an_item_is_bound_with_what_is_asked_for_and_its_own_holdings() {
    let shelf = Shelf::new().await;
    let item = id(&shelf.item("1001").await);
    let (_, one) = another_title(&shelf, "One").await;
    let (_, two) = another_title(&shelf, "Two").await;
    let main = shelf.holdings.as_str();
    let bind = |holdings: &[&str]| {
        let body = binding(&item, holdings);
        let client = &shelf.client;
        async move { client.put(BIND, &body).await.expect(204) }
    };
    bind(&[main]).await;
    assert_eq!(bound(&shelf, &item).await, Vec::<String>::new());
    bind(&[&one]).await;
    assert_eq!(bound(&shelf, &item).await, sorted(&[main, &one]));
    bind(&[&two, main, &two]).await;
    assert_eq!(bound(&shelf, &item).await, sorted(&[main, &two]));
    let shown = shelf.read("/inventory/items", &item).await;
    assert_eq!(shown["isBoundWith"], true);
    bind(&[]).await;
    assert_eq!(bound(&shelf, &item).await, Vec::<String>::new());

    let sql = "SELECT type, count(*) FROM tenant_diku.outbox \
               WHERE topic = 'inventory.bound-with' GROUP BY type ORDER BY type";
    let database = &shelf.library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("events");
    let events: Vec<(String, i64)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    assert_eq!(events, [("CREATE".to_owned(), 3), ("DELETE".to_owned(), 3)]);
}

#[tokio::test]
async fn all_that_is_missing_is_told_and_nothing_is_bound() {
    let shelf = Shelf::new().await;
    let item = id(&shelf.item("1001").await);
    let (_, one) = another_title(&shelf, "One").await;
    let refused = shelf
        .client
        .put(BIND, &binding(NOWHERE, &[&one, NOWHERE]))
        .await
        .expect(422)
        .json();
    assert_eq!(
        refused["errors"],
        json!([
            {"message": "Item not found.", "code": "item.not-found",
             "parameters": [{"key": "itemId", "value": NOWHERE}]},
            {"message": "Holdings record not found.", "code": "holding.not-found",
             "parameters": [{"key": "holdingsRecordId", "value": NOWHERE}]},
        ])
    );
    let _ = shelf
        .client
        .put(BIND, &binding(&item, &[&one, NOWHERE]))
        .await
        .expect(422);
    assert_eq!(bound(&shelf, &item).await, Vec::<String>::new());
    for wrong in [json!({}), json!({"itemId": "x", "boundWithContents": []})] {
        let _ = shelf.client.put(BIND, &wrong).await.expect(422);
    }
}

#[tokio::test]
async fn an_item_is_not_bound_with_itself() {
    let shelf = Shelf::new().await;
    let item = id(&shelf.item("1001").await);
    let (_, other) = another_title(&shelf, "One").await;
    let own = json!({"itemId": item, "holdingsRecordId": shelf.holdings});
    let refused = shelf.client.post(PARTS, &own).await.expect(422).json();
    assert_eq!(error(&refused).1, "holdingsRecordId");
    let foreign = json!({"itemId": item, "holdingsRecordId": other});
    let foreign = post(&shelf.client, PARTS, foreign).await;
    let path = format!("{PARTS}/{}", id(&foreign));
    let _ = shelf.client.put(&path, &own).await.expect(422);
    let _ = post(&shelf.client, PARTS, own.clone()).await;
    let again = shelf.client.post(PARTS, &own).await.expect(422).json();
    assert!(error(&again).0.contains("value already exists"));
    assert_eq!(bound(&shelf, &item).await.len(), 2);
}

#[tokio::test]
async fn those_who_bind_one_item_at_once_leave_what_the_last_of_them_asked_for() {
    let shelf = Shelf::new().await;
    let item = id(&shelf.item("1001").await);
    let (_, one) = another_title(&shelf, "One").await;
    let (_, two) = another_title(&shelf, "Two").await;
    let tasks: Vec<_> = (0..16)
        .map(|at| {
            let client = shelf.client.clone();
            let holdings = if at % 2 == 0 { &one } else { &two };
            let body = binding(&item, &[holdings]);
            tokio::spawn(async move { client.put(BIND, &body).await.expect(204) })
        })
        .collect();
    for task in tasks {
        task.await.expect("bound");
    }
    let bound = bound(&shelf, &item).await;
    let main = shelf.holdings.as_str();
    assert!(bound == sorted(&[main, &one]) || bound == sorted(&[main, &two]));
    let _ = shelf
        .client
        .delete(&format!("{ITEMS}/{item}"))
        .await
        .expect(400);
}
