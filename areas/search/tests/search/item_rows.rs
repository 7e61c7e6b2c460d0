//! The rows of items are the same by whichever way the item was stored: alone, in a batch, by a change, or when it
//! is taken up later.

use serde_json::{Value, json};

use super::{HOLDINGS, ITEMS, LC, Shelf};
use octavo_server_testkit::stock::{BOOK, CAN_CIRCULATE};

const BATCH: &str = "/item-storage/batch/synchronous";
const DEWEY: &str = "03dd64d0-5626-4ecd-8ece-4531e0069f35";

/// Items that differ in what their rows hold; `way` is the first letter of their barcodes.
async fn items(shelf: &Shelf, way: &str, numbered: &Value, bare: &Value) -> Vec<Value> {
    let codes = shelf.client.get("/statistical-codes?limit=2").await;
    let codes = codes.expect(200).json();
    let codes: Vec<&Value> = (0..2)
        .map(|at| &codes["statisticalCodes"][at]["id"])
        .collect();
    let parts = [
        json!({}),
        json!({
            "itemLevelCallNumber": "512.9 Éb", "itemLevelCallNumberPrefix": "Ref",
            "itemLevelCallNumberSuffix": "v.1", "itemLevelCallNumberTypeId": DEWEY,
            "tags": {"tagList": ["new", "urgent", "new"]}, "discoverySuppress": true,
            "statisticalCodeIds": codes,
        }),
        json!({"itemLevelCallNumber": "Z 1", "itemLevelCallNumberPrefix": "Q"}),
        json!({"holdingsRecordId": bare["id"], "status": {"name": "In process"}}),
        json!({"holdingsRecordId": bare["id"], "itemLevelCallNumberTypeId": LC}),
    ];
    let items = parts.into_iter().enumerate().map(|(at, more)| {
        let mut item = json!({
            "barcode": format!("{way}-{at}"), "holdingsRecordId": numbered["id"],
            "status": {"name": "Available"}, "materialTypeId": BOOK,
            "permanentLoanTypeId": CAN_CIRCULATE,
        });
        for (name, value) in more.as_object().expect("an object") {
            item[name] = value.clone();
        }
        item
    });
    items.collect()
}

/// How many items of one way have the very rows that the item of another way has.
async fn alike(shelf: &Shelf, one: &str, other: &str) -> i64 {
    let tenant = shelf.library.tenant();
    let schema = tenant.schema();
    let alike = format!(
        "WITH row AS (SELECT left(barcode_text, 1) AS way, substr(barcode_text, 3) AS number,
             to_jsonb(part) - 'id' AS found, (SELECT jsonb_agg(to_jsonb(one) - 'item_id' ORDER BY kind)
               FROM {schema}.browse_call_number AS one WHERE item_id = item.id) AS browsed
           FROM {schema}.item JOIN {schema}.search_item AS part USING (id))
         SELECT count(*) FROM row AS one JOIN row AS other USING (number)
         WHERE one.way = '{one}' AND other.way = '{other}' AND one.found = other.found
           AND one.browsed IS NOT DISTINCT FROM other.browsed"
    );
    shelf.sql(&alike).await[0]
}

#[tokio::test]
async fn an_item_has_the_same_rows_by_whichever_way_it_is_stored() {
    let shelf = Shelf::new().await;
    let title = shelf.instance("Rows", json!({})).await;
    let numbered = shelf.holdings(&title, "QA76 .B2").await;
    let bare = json!({
        "instanceId": title["id"], "permanentLocationId": shelf.stock.location,
        "sourceId": numbered["sourceId"],
    });
    let bare = shelf.post(HOLDINGS, bare).await;
    let mut stored = Vec::new();
    for item in items(&shelf, "s", &numbered, &bare).await {
        stored.push(shelf.post(ITEMS, item).await);
    }
    let batch = json!({"items": items(&shelf, "b", &numbered, &bare).await});
    let _ = shelf.client.post(BATCH, &batch).await.expect(201);
    assert_eq!(alike(&shelf, "s", "b").await, 5);
    let schema = shelf.library.tenant().schema().to_owned();
    // What they are, so that they are not wrong alike.
    let exact = format!(
        "SELECT count(*) FROM {schema}.search_item WHERE call_number = 'ref 512.9 eb v.1'
           AND call_number_key = 'ref5129ebv1' AND call_number_type = '{DEWEY}' AND discovery
           AND tags = '{{new,urgent}}' AND cardinality(codes) = 2"
    );
    assert_eq!(shelf.sql(&exact).await, [2]);
    let browsed = format!(
        "SELECT count(*) FROM {schema}.browse_call_number WHERE value = '512.9 Éb v.1'
           AND prefix = 'Ref' AND suffix = 'v.1' AND number = '512.9 Éb' AND type = '{DEWEY}'
           AND (kind, sort_key) IN ((10, '512.9 eb v.1'), (12, {schema}.search_shelf_key('dewey', value)))"
    );
    assert_eq!(shelf.sql(&browsed).await, [4]);
    // Full and prefix call numbers are found by their letters.
    for query in [
        "itemFullCallNumbers==\"Ref 512.9 Éb v.1\"",
        "itemFullCallNumbers==\"Ref 512.9 É*\"",
        "itemFullCallNumbers==\"ref 5*v.1\"",
        "itemFullCallNumbers==\"*512.9 eb v.1\"",
        "holdingsFullCallNumbers==\"QA76 .b2\"",
        "holdingsFullCallNumbers==\"qa76 .*\"",
    ] {
        assert_eq!(shelf.titles(query).await, ["Rows"], "{query}");
    }
    for query in [
        "itemFullCallNumbers==\"Ref 5129 Éb v.1\"",
        "itemFullCallNumbers==\"Ref5*\"",
        "holdingsFullCallNumbers==\"QA 76.B2\"",
    ] {
        assert_eq!(shelf.titles(query).await, [""; 0], "{query}");
    }

    // By a change of what is not browsed, and as rows are taken up that were not there.
    let changes = json!({
        "tags": {"tagList": []}, "discoverySuppress": false, "status": {"name": "Missing"},
        "statisticalCodeIds": [],
    });
    let batch = items(&shelf, "b", &numbered, &bare).await;
    let barcodes = batch.iter().map(|item| item["barcode"].clone());
    let mut others = Vec::new();
    for barcode in barcodes {
        let query = format!("barcode=={}", barcode.as_str().expect("a barcode"));
        let found = shelf.client.query(ITEMS, &query).await.expect(200).json();
        others.push(found["items"][0].clone());
    }
    for item in &stored {
        shelf.change(ITEMS, item, changes.clone()).await;
    }
    assert_eq!(alike(&shelf, "s", "b").await, 0);
    let gone = format!(
        "WITH gone AS (DELETE FROM {schema}.search_item WHERE id IN
           (SELECT id FROM {schema}.item WHERE barcode_text LIKE 'b-%') RETURNING id)
         SELECT count(*) FROM gone"
    );
    assert_eq!(shelf.sql(&gone).await, [5]);
    for item in &others {
        shelf.change(ITEMS, item, changes.clone()).await;
    }
    // Only the status changed in some: they wait to be taken up.
    let refill = format!("UPDATE {schema}.search_fill SET done = false WHERE kind = 'item'");
    shelf.sql(&format!("{refill} RETURNING 1::bigint")).await;
    assert_eq!(shelf.fill().await, 204);
    assert_eq!(alike(&shelf, "s", "b").await, 5);

    // Another place and another number reach what is browsed.
    let moved = json!({"itemLevelCallNumber": "PR 1", "itemLevelCallNumberPrefix": "Old"});
    for item in stored.iter().chain(&others) {
        shelf.change(ITEMS, item, moved.clone()).await;
    }
    assert_eq!(alike(&shelf, "s", "b").await, 5);
    let left = format!(
        "SELECT count(*) FROM {schema}.browse_call_number WHERE number IS DISTINCT FROM 'PR 1'"
    );
    assert_eq!(shelf.sql(&left).await, [0]);
}
