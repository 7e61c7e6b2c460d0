//! `/inventory/items`.

use reqwest::Method;
use serde_json::{Value, json};

use super::{BOOK, CAN_CIRCULATE, HOLDINGS, INSTANCES, ITEMS, NOWHERE, Shelf, error, id, post};

const MANAGED: &str = "/inventory/items";

/// An item as the user interface sends it.
fn a_form(shelf: &Shelf, barcode: &str) -> Value {
    json!({
        "barcode": barcode, "status": {"name": "Available"}, "holdingsRecordId": shelf.holdings,
        "materialType": {"id": BOOK}, "permanentLoanType": {"id": CAN_CIRCULATE, "name": "any"},
        "temporaryLocation": {"id": shelf.display},
    })
}

#[tokio::test]
async fn an_item_is_shown_with_what_it_refers_to() {
    let shelf = Shelf::new().await;
    let answer = shelf
        .client
        .post(MANAGED, &a_form(&shelf, "1001"))
        .await
        .expect(201);
    let item = answer.json();
    let path = format!("{MANAGED}/{}", id(&item));
    assert_eq!(answer.header("location"), Some(path.as_str()));
    assert_eq!(item["title"], "Bridges of the north");
    assert_eq!(item["callNumber"], "TG145 .B7");
    assert_eq!(
        item["contributorNames"],
        json!([{"name": "Bergström, Åsa"}])
    );
    assert_eq!(item["materialType"], json!({"id": BOOK, "name": "book"}));
    assert_eq!(item["permanentLoanType"]["name"], "Can circulate");
    assert_eq!(
        item["temporaryLocation"],
        json!({"id": shelf.display, "name": "Display"})
    );
    assert_eq!(
        item["effectiveLocation"],
        json!({"id": shelf.display, "name": "Display"})
    );
    assert_eq!(item["isBoundWith"], false);
    for property in [
        "materialTypeId",
        "temporaryLoanType",
        "boundWithTitles",
        "effectiveLocationId",
    ] {
        assert_eq!(item.get(property), None, "{property}");
    }
    assert_eq!(shelf.client.get(&path).await.expect(200).json(), item);
    let list = shelf
        .client
        .query(MANAGED, "barcode==1001")
        .await
        .expect(200)
        .json();
    assert_eq!(list["items"], json!([item]));
    assert_eq!(list["totalRecords"], 1);
    let missing = shelf
        .client
        .get(&format!("{MANAGED}/{NOWHERE}"))
        .await
        .expect(404);
    assert_eq!(missing.text, "Not Found");
    for query in ["limit=ten", "offset=x"] {
        let answer = shelf
            .client
            .get(&format!("{MANAGED}?{query}"))
            .await
            .expect(400);
        assert_eq!(
            answer.text,
            "limit and offset must be numeric when supplied"
        );
    }
}

#[tokio::test]
async fn what_is_shown_can_be_sent_back() {
    let shelf = Shelf::new().await;
    let item = shelf
        .client
        .post(MANAGED, &a_form(&shelf, "1001"))
        .await
        .expect(201)
        .json();
    let path = format!("{MANAGED}/{}", id(&item));
    let mut form = item.clone();
    form["circulationNotes"] = json!([{"noteType": "Check out", "note": "wrap it"}]);
    form["temporaryLocation"] = Value::Null;
    let _ = shelf.client.put(&path, &form).await.expect(204);
    let replaced = shelf.client.get(&path).await.expect(200).json();
    assert_eq!(replaced["effectiveLocation"]["id"], shelf.stacks);
    let note = &replaced["circulationNotes"][0];
    assert!(note["id"].is_string() && note["date"].is_string());
    assert!(note["source"]["id"].is_string());
    assert!(note["source"]["personal"]["lastName"].is_string());
    let _ = shelf.client.put(&path, &form).await.expect(409);

    let patch =
        json!({"id": item["id"], "_version": 2, "permanentLocation": {"id": shelf.display}});
    let request = shelf.client.request(Method::PATCH, &path).json(&patch);
    let _ = shelf.client.send(request).await.expect(204);
    let patched = shelf.client.get(&path).await.expect(200).json();
    assert_eq!(patched["permanentLocation"]["name"], "Display");
    assert_eq!(patched["circulationNotes"], replaced["circulationNotes"]);
    let _ = shelf.client.delete(&path).await.expect(204);
    let _ = shelf.client.get(&path).await.expect(404);
}

#[tokio::test]
async fn forms_have_rules_of_their_own() {
    let shelf = Shelf::new().await;
    let item = shelf
        .client
        .post(MANAGED, &a_form(&shelf, "1001"))
        .await
        .expect(201)
        .json();
    let path = format!("{MANAGED}/{}", id(&item));
    let taken = "Barcode must be unique, 1001 is already assigned to another item";
    let answer = shelf
        .client
        .post(MANAGED, &a_form(&shelf, "1001"))
        .await
        .expect(400);
    assert_eq!(answer.text, taken);
    // The key has lost its case; the sentence has not.
    let _ = shelf
        .client
        .post(MANAGED, &a_form(&shelf, "ab7"))
        .await
        .expect(201);
    let answer = shelf
        .client
        .post(MANAGED, &a_form(&shelf, "AB7"))
        .await
        .expect(400);
    assert!(answer.text.contains("AB7 is already assigned"));
    let other = shelf
        .client
        .post(MANAGED, &a_form(&shelf, "1002"))
        .await
        .expect(201)
        .json();
    let mut form = other.clone();
    form["barcode"] = json!("1001");
    let answer = shelf
        .client
        .put(&format!("{MANAGED}/{}", id(&other)), &form)
        .await
        .expect(400);
    assert_eq!(answer.text, taken);

    let mut form = a_form(&shelf, "1003");
    form["status"] = Value::Null;
    let answer = shelf.client.post(MANAGED, &form).await.expect(422).json();
    assert_eq!(
        error(&answer),
        ("Status is a required field".to_owned(), "status".to_owned())
    );
    form["status"] = json!({"name": "Lost in space"});
    let answer = shelf.client.post(MANAGED, &form).await.expect(422).json();
    assert_eq!(error(&answer).0, "Undefined status specified");

    let mut form = item.clone();
    form["hrid"] = json!("it9");
    let answer = shelf.client.put(&path, &form).await.expect(422).json();
    assert_eq!(
        error(&answer),
        ("HRID can not be updated".to_owned(), "hrid".to_owned())
    );
    let mut form = item.clone();
    form["status"]["name"] = json!("Claimed returned");
    let _ = shelf.client.put(&path, &form).await.expect(204);
    form["_version"] = json!(2);
    form["status"]["name"] = json!("Missing");
    let answer = shelf.client.put(&path, &form).await.expect(422).json();
    assert_eq!(
        error(&answer).0,
        "Claimed returned item cannot be marked as missing"
    );
    let answer = shelf
        .client
        .put(&format!("{MANAGED}/{NOWHERE}"), &item)
        .await
        .expect(404);
    assert_eq!(answer.text, "No item found");
}

#[tokio::test]
async fn bound_items_are_found_from_each_of_their_holdings() {
    let shelf = Shelf::new().await;
    let own = id(&shelf.item("1001").await);
    let mut other = shelf.read(HOLDINGS, &shelf.holdings).await;
    for property in ["id", "hrid"] {
        other.as_object_mut().expect("an object").remove(property);
    }
    let other = post(&shelf.client, HOLDINGS, other).await;
    let mut bound = shelf.an_item("1002");
    bound["holdingsRecordId"] = other["id"].clone();
    let bound = id(&post(&shelf.client, ITEMS, bound).await);
    for holdings in [&json!(shelf.holdings), &other["id"]] {
        let part = json!({"itemId": bound, "holdingsRecordId": holdings});
        let _ = post(&shelf.client, "/inventory-storage/bound-with-parts", part).await;
    }
    let found = |relations: &'static str| {
        let path = format!("/inventory/items-by-holdings-id?limit=5000{relations}");
        let query = format!("holdingsRecordId=={}", shelf.holdings);
        let client = &shelf.client;
        async move {
            let body = client.query(&path, &query).await.expect(200).json();
            let items = body["items"].as_array().expect("items").clone();
            items
                .iter()
                .map(|item| (id(item), item["isBoundWith"] == true))
                .collect::<Vec<_>>()
        }
    };
    assert_eq!(found("").await, [(own, false), (bound.clone(), true)]);
    assert_eq!(
        found("&relations=onlyBoundWiths").await,
        [(bound.clone(), true)]
    );
    let foreign = found("&relations=onlyBoundWithsSkipDirectlyLinkedItem").await;
    assert_eq!(foreign, [(bound.clone(), true)]);
    for (sort, barcodes) in [
        ("sortBy barcode", ["1001", "1002"]),
        ("sortBy barcode/sort.descending", ["1002", "1001"]),
        ("sortby volume hrid/sort.descending", ["1002", "1001"]),
    ] {
        let query = format!("holdingsRecordId=={} {sort}", shelf.holdings);
        let page = shelf
            .client
            .query("/inventory/items-by-holdings-id", &query)
            .await;
        let page = page.expect(200).json();
        let found = page["items"].as_array().expect("items");
        let found: Vec<&Value> = found.iter().map(|item| &item["barcode"]).collect();
        assert_eq!(found, barcodes, "{sort}");
    }
    let shown = shelf
        .client
        .get(&format!("{MANAGED}/{bound}"))
        .await
        .expect(200)
        .json();
    assert_eq!(shown["boundWithTitles"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        shown["boundWithTitles"][0]["briefInstance"]["id"],
        shelf.instance
    );
    let instance = shelf
        .client
        .get(&format!("/inventory/instances/{}", shelf.instance))
        .await;
    assert_eq!(instance.expect(200).json()["isBoundWith"], true);
    let _ = shelf
        .client
        .query("/inventory/items-by-holdings-id", "barcode==1")
        .await
        .expect(400);
    assert_eq!(
        shelf
            .read(INSTANCES, &shelf.instance)
            .await
            .get("isBoundWith"),
        None
    );
}
