//! Items with whole records in place of ids.

use serde_json::{Value, json};

use super::{HOLDINGS, INSTANCES, NOWHERE, Shelf, id, post};

const PATH: &str = "/item-storage-dereferenced/items";

#[tokio::test]
async fn an_item_has_the_records_that_it_refers_to() {
    let shelf = Shelf::new().await;
    let mut item = shelf.an_item("1001");
    item["temporaryLocationId"] = json!(shelf.display);
    let item = post(&shelf.client, super::ITEMS, item).await;
    let _ = shelf.item("1002").await;
    let shown = shelf.read(PATH, &id(&item)).await;
    assert_eq!(
        shown["instanceRecord"],
        shelf.read(INSTANCES, &shelf.instance).await
    );
    assert_eq!(
        shown["holdingsRecord"],
        shelf.read(HOLDINGS, &shelf.holdings).await
    );
    assert_eq!(shown["materialType"]["name"], "book");
    assert_eq!(shown["permanentLoanType"]["name"], "Can circulate");
    assert_eq!(shown["temporaryLocation"]["name"], "Display");
    assert_eq!(shown["effectiveLocation"]["name"], "Display");
    assert_eq!(shown["barcode"], "1001");
    for absent in [
        "permanentLocation",
        "temporaryLoanType",
        "holdingsRecordId",
        "materialTypeId",
        "permanentLoanTypeId",
        "temporaryLocationId",
        "effectiveLocationId",
    ] {
        assert_eq!(shown.get(absent), None, "{absent}");
    }

    let listed = shelf
        .client
        .query(&format!("{PATH}?limit=1"), "barcode==100* sortBy barcode")
        .await
        .expect(200)
        .json();
    assert_eq!(listed["totalRecords"], 2);
    assert_eq!(listed["dereferencedItems"], json!([shown]));
    let all = shelf.client.get(PATH).await.expect(200).json();
    assert_eq!(all["dereferencedItems"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn what_is_no_item_is_refused_in_folios_words() {
    let shelf = Shelf::new().await;
    let text = |path: String, status: u16| {
        let client = &shelf.client;
        async move { client.get(&path).await.expect(status).text }
    };
    assert_eq!(text(format!("{PATH}/x"), 400).await, "Invalid UUID");
    assert_eq!(
        text(format!("{PATH}/{NOWHERE}"), 404).await,
        "No item records found matching provided UUID."
    );
    let refused = shelf.client.query(PATH, "barcode==").await.expect(400);
    assert!(
        refused.text.starts_with("Invalid CQL query: "),
        "{}",
        refused.text
    );
    let none: Value = shelf
        .client
        .query(PATH, "barcode==7")
        .await
        .expect(200)
        .json();
    assert_eq!(none["dereferencedItems"], json!([]));
}
