//! `/item-storage/items`.

use reqwest::Method;
use serde_json::{Value, json};

use super::{ITEMS, NOWHERE, Shelf, error, id};

#[tokio::test]
async fn an_item_takes_place_and_call_number_from_its_holdings() {
    let shelf = Shelf::new().await;
    let mut body = shelf.an_item("1001");
    body["volume"] = json!("v. 2");
    body["effectiveShelvingOrder"] = json!("not for clients");
    body["circulationNotes"] = json!([{"noteType": "Check in", "note": "count the maps"}]);
    let answer = shelf.client.post(ITEMS, &body).await.expect(201);
    let item = answer.json();
    assert_eq!(answer.header("location"), item["id"].as_str());
    assert_eq!(item["hrid"], "it00000000001");
    assert_eq!(item["_version"], 1);
    assert_eq!(item["effectiveLocationId"], shelf.stacks);
    assert_eq!(
        item["effectiveCallNumberComponents"]["callNumber"],
        "TG145 .B7"
    );
    assert_eq!(item["effectiveShelvingOrder"], "TG 3145 B7 V 12");
    assert!(item["status"]["date"].is_string());
    assert!(item["circulationNotes"][0]["id"].is_string());
    assert_eq!(item["circulationNotes"][0]["staffOnly"], false);
    assert_eq!(item["notes"], json!([]));
    assert_eq!(shelf.read(ITEMS, &id(&item)).await, item);
}

#[tokio::test]
async fn what_cannot_be_stored_is_refused() {
    let shelf = Shelf::new().await;
    let mut body = shelf.an_item("1001");
    body["holdingsRecordId"] = json!(NOWHERE);
    let answer = shelf.client.post(ITEMS, &body).await.expect(422).json();
    let expected = (
        "Holdings record does not exist".to_owned(),
        "holdingsRecordId".to_owned(),
    );
    assert_eq!(error(&answer), expected);

    let mut body = shelf.an_item("1001");
    body["administrativeNotes"] = json!(["x".repeat(32_001)]);
    let answer = shelf.client.post(ITEMS, &body).await.expect(422).json();
    assert_eq!(error(&answer).1, "administrativeNotes");

    let _ = shelf.item("1001").await;
    let answer = shelf
        .client
        .post(ITEMS, &shelf.an_item("1001"))
        .await
        .expect(422)
        .json();
    assert_eq!(
        error(&answer).0,
        "lower(jsonb ->> 'barcode'::text) value already exists in table item: 1001"
    );
    let mut body = shelf.an_item("1002");
    body["hrid"] = json!("IT00000000001");
    let answer = shelf.client.post(ITEMS, &body).await.expect(422).json();
    assert_eq!(
        error(&answer).0,
        "HRID value already exists in table item: it00000000001"
    );

    let mut body = shelf.an_item("1003");
    body["temporaryLoanTypeId"] = json!(NOWHERE);
    let answer = shelf.client.post(ITEMS, &body).await.expect(422).json();
    assert_eq!(
        error(&answer).0,
        format!(
            "Cannot set item.temporaryloantypeid = {NOWHERE} because it does not exist in \
             loan_type.id."
        )
    );
    // Its own words for items that are replaced.
    let item = shelf.item("1004").await;
    let mut body = item.clone();
    body["temporaryLoanTypeId"] = json!(NOWHERE);
    let path = format!("{ITEMS}/{}", id(&item));
    assert_eq!(
        shelf.client.put(&path, &body).await.expect(400).text,
        format!(
            "Cannot set item temporaryloantypeid = {NOWHERE} because it does not exist in \
             loan_type.id."
        )
    );
}

#[tokio::test]
async fn a_replaced_item_keeps_what_may_not_change() {
    let shelf = Shelf::new().await;
    let item = shelf.item("1001").await;
    let path = format!("{ITEMS}/{}", id(&item));
    let mut body = item.clone();
    body["temporaryLocationId"] = json!(shelf.display);
    body["itemLevelCallNumber"] = json!("A1");
    let _ = shelf.client.put(&path, &body).await.expect(204);
    let replaced = shelf.client.get(&path).await.expect(200).json();
    assert_eq!(replaced["_version"], 2);
    assert_eq!(replaced["effectiveLocationId"], shelf.display);
    assert_eq!(replaced["effectiveShelvingOrder"], "A 11");
    assert_eq!(replaced["status"]["date"], item["status"]["date"]);
    assert_eq!(
        replaced["metadata"]["createdDate"],
        item["metadata"]["createdDate"]
    );

    let stale = shelf.client.put(&path, &body).await.expect(409);
    assert!(
        stale
            .text
            .contains("Stored _version is 2, _version of request is 1")
    );

    let mut body = replaced.clone();
    body["status"]["name"] = json!("Missing");
    let _ = shelf.client.put(&path, &body).await.expect(204);
    let missing = shelf.client.get(&path).await.expect(200).json();
    assert_ne!(missing["status"]["date"], item["status"]["date"]);

    let mut body = missing.clone();
    body["hrid"] = json!("it7");
    let answer = shelf.client.put(&path, &body).await.expect(400);
    assert_eq!(
        answer.text,
        "The hrid field cannot be changed: new=it7, old=it00000000001"
    );
    body["hrid"] = Value::Null;
    let answer = shelf.client.put(&path, &body).await.expect(400);
    assert_eq!(
        answer.text,
        "The hrid field cannot be changed: new=null, old=it00000000001"
    );
    let mut body = missing.clone();
    body["holdingsRecordId"] = json!(NOWHERE);
    let answer = shelf.client.put(&path, &body).await.expect(400);
    assert_eq!(
        answer.text,
        format!("holdingsRecordId not found: {NOWHERE}")
    );
    let _ = shelf.item("1002").await;
    let mut body = missing.clone();
    body["barcode"] = json!("1002");
    let answer = shelf.client.put(&path, &body).await.expect(400);
    assert!(
        answer
            .text
            .contains("value already exists in table item: 1002")
    );
    let nowhere = format!("{ITEMS}/{NOWHERE}");
    assert_eq!(
        shelf.client.put(&nowhere, &missing).await.expect(404).text,
        "Not found"
    );
}

#[tokio::test]
async fn items_are_patched_together_or_not_at_all() {
    let shelf = Shelf::new().await;
    let (one, two) = (shelf.item("1001").await, shelf.item("1002").await);
    let patch = |items: Value| {
        let body = json!({"items": items});
        let request = shelf.client.request(Method::PATCH, ITEMS).json(&body);
        shelf.client.send(request)
    };
    let answer = patch(json!([
        {"id": one["id"], "_version": 1, "volume": "1", "barcode": null},
        {"id": two["id"], "_version": 1, "temporaryLocationId": shelf.display},
    ]))
    .await;
    let _ = answer.expect(204);
    let (one, two) = (
        shelf.read(ITEMS, &id(&one)).await,
        shelf.read(ITEMS, &id(&two)).await,
    );
    assert_eq!(
        (&one["volume"], &one["barcode"]),
        (&json!("1"), &Value::Null)
    );
    assert_eq!(two["effectiveLocationId"], shelf.display);
    assert_eq!(two["barcode"], "1002");

    let answer = patch(json!([
        {"id": one["id"], "_version": 2, "volume": "9"},
        {"id": two["id"], "_version": 1, "volume": "9"},
    ]))
    .await;
    assert!(answer.expect(409).text.contains("Stored _version is 2"));
    assert_eq!(shelf.read(ITEMS, &id(&one)).await["volume"], "1");
    let unknown = patch(json!([{"id": NOWHERE, "_version": 1}]))
        .await
        .expect(404);
    assert_eq!(
        unknown.text,
        format!("Item not found in database: {NOWHERE}")
    );
    let elsewhere = "0b117416-8dcf-45a1-be9a-ffaa847c4424";
    let unknown = patch(json!([
        {"id": NOWHERE, "_version": 1}, {"id": one["id"], "_version": 2},
        {"id": elsewhere, "_version": 1},
    ]))
    .await
    .expect(404);
    assert_eq!(
        unknown.text,
        format!("Items not found in database: {NOWHERE}, {elsewhere}")
    );
    assert_eq!(
        error(&patch(json!([{"id": NOWHERE}])).await.expect(422).json()).1,
        "_version"
    );
    let none = patch(json!([])).await.expect(400);
    assert_eq!(none.text, "Expected at least one item to update");
    let removed = patch(json!([
        {"id": one["id"], "_version": 2, "materialTypeId": null, "status": {"name": ""}},
        {"id": two["id"], "_version": 2, "holdingsRecordId": " "},
    ]))
    .await
    .expect(422)
    .json();
    assert_eq!(removed["errors"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        removed["errors"][0],
        json!({
            "message": format!("Required fields cannot be removed. ItemId: {}", id(&one)),
            "code": "field.required",
            "parameters": [
                {"key": "field", "value": "materialTypeId"},
                {"key": "field", "value": "status.name"},
            ],
        })
    );
}

#[tokio::test]
async fn an_item_in_use_is_not_deleted_and_one_that_is_not_is() {
    let shelf = Shelf::new().await;
    let item = shelf.item("1001").await;
    let (_, other) = super::another_title(&shelf, "Tunnels of the north").await;
    let part = json!({"itemId": item["id"], "holdingsRecordId": other});
    let part = super::post(&shelf.client, "/inventory-storage/bound-with-parts", part).await;
    let path = format!("{ITEMS}/{}", id(&item));
    let refused = shelf.client.delete(&path).await.expect(400);
    assert!(
        refused
            .text
            .contains("still referenced from table bound_with_part")
    );
    let part = format!("/inventory-storage/bound-with-parts/{}", id(&part));
    let _ = shelf.client.delete(&part).await.expect(204);
    let _ = shelf.client.delete(&path).await.expect(204);
    let _ = shelf.client.get(&path).await.expect(404);
}
