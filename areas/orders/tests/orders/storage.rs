//! `/orders-storage/…`: records, numbers and the side effects of writing them.

use octavo_server_testkit::library;
use serde_json::json;

use super::{found, made, new_id, stored_line, text};

const ORDERS: &str = "/orders-storage/purchase-orders";
const LINES: &str = "/orders-storage/po-lines";
const TITLES: &str = "/orders-storage/titles";
const PIECES: &str = "/orders-storage/pieces";

#[tokio::test]
async fn order_numbers_are_taken_once_from_10000_on() {
    let library = library().await;
    let client = library.client().await;
    let number = client.get("/orders-storage/po-number").await.expect(200);
    assert_eq!(number.json()["poNumber"], "10000");
    let tries = (0..20).map(|_| client.get("/orders-storage/po-number"));
    let numbers = futures_util::future::join_all(tries).await;
    let mut numbers: Vec<String> = numbers
        .iter()
        .map(|answer| text(&answer.json()["poNumber"]))
        .collect();
    numbers.sort();
    let wanted: Vec<String> = (10001..=10020).map(|one: i64| one.to_string()).collect();
    assert_eq!(numbers, wanted);
}

#[tokio::test]
async fn an_order_keeps_the_number_of_its_next_line() {
    let library = library().await;
    let client = library.client().await;
    let order = json!({"poNumber": "A1", "workflowStatus": "Pending", "nextPolNumber": 7});
    let order = made(&client, ORDERS, &order).await;
    assert_eq!(order["nextPolNumber"], 1);
    assert_eq!(order["acqUnitIds"], json!([]));
    let id = text(&order["id"]);
    let path = format!("/orders-storage/po-line-number?purchaseOrderId={id}&poLineNumbers=2");
    let taken = client.get(&path).await.expect(200).json();
    assert_eq!(taken["sequenceNumbers"], json!(["1", "2"]));
    let tries = (0..20).map(|_| client.get(&path));
    let mut all: Vec<i64> = futures_util::future::join_all(tries)
        .await
        .iter()
        .flat_map(|answer| {
            answer.json()["sequenceNumbers"]
                .as_array()
                .cloned()
                .unwrap_or_default()
        })
        .map(|number| text(&number).parse().expect("a number"))
        .collect();
    all.sort_unstable();
    assert_eq!(all, (3..=42).collect::<Vec<i64>>());
    let changed = json!({"id": id, "poNumber": "A1", "workflowStatus": "Open", "nextPolNumber": 1});
    let _ = client
        .put(&format!("{ORDERS}/{id}"), &changed)
        .await
        .expect(204);
    let stored = client
        .get(&format!("{ORDERS}/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(stored["nextPolNumber"], 43);
    let double = client
        .post(ORDERS, &json!({"poNumber": "A1"}))
        .await
        .expect(400);
    assert!(double.text.contains("already exists"), "{}", double.text);
    let wrong = client
        .post(ORDERS, &json!({"poNumber": "A-1"}))
        .await
        .expect(422);
    assert_eq!(
        wrong.json()["errors"][0]["parameters"][0]["key"],
        "poNumber"
    );
}

#[tokio::test]
async fn a_line_takes_its_title_along() {
    let library = library().await;
    let client = library.client().await;
    let order = json!({"poNumber": "B1", "acqUnitIds": [new_id()]});
    let order = made(&client, ORDERS, &order).await;
    let order_id = text(&order["id"]);
    let mut line = made(&client, LINES, &stored_line(&order_id, "B1-1")).await;
    let id = text(&line["id"]);
    let of_line = format!("poLineId=={id}");
    let titles = found(&client, TITLES, &of_line, "titles").await;
    assert_eq!(titles.len(), 1);
    assert_eq!(titles[0]["title"], "A field guide to river mills");
    assert_eq!(titles[0]["poLineNumber"], "B1-1");
    assert_eq!(titles[0]["acqUnitIds"], order["acqUnitIds"]);
    line["titleOrPackage"] = json!("A guide to mills");
    let _ = client
        .put(&format!("{LINES}/{id}"), &line)
        .await
        .expect(204);
    let titles = found(&client, TITLES, &of_line, "titles").await;
    assert_eq!(titles[0]["title"], "A guide to mills");
    let second = json!({"title": "Another", "poLineId": id});
    let refused = client.post(TITLES, &second).await.expect(422).json();
    assert_eq!(refused["errors"][0]["code"], "titleExist");
    let piece = json!({"format": "Physical", "poLineId": id, "titleId": titles[0]["id"],
                       "receivingStatus": "Expected"});
    let piece = made(&client, PIECES, &piece).await;
    assert_eq!(piece["isBound"], false);
    let title = format!("{TITLES}/{}", text(&titles[0]["id"]));
    let _ = client.delete(&title).await.expect(400);
    let order_path = format!("{ORDERS}/{order_id}");
    let _ = client.delete(&order_path).await.expect(400);
    let _ = client.delete(&format!("{LINES}/{id}")).await.expect(204);
    let _ = client.get(&title).await.expect(404);
    let piece = format!("{PIECES}/{}", text(&piece["id"]));
    let _ = client.get(&piece).await.expect(404);
    let tie = json!({"purchaseOrderId": order_id, "invoiceId": new_id()});
    let ties = "/orders-storage/order-invoice-relns";
    let _ = made(&client, ties, &tie).await;
    let _ = client.post(ties, &tie).await.expect(400);
    let _ = client.delete(&order_path).await.expect(204);
    let left = found(
        &client,
        ties,
        "cql.allRecords=1",
        "orderInvoiceRelationships",
    )
    .await;
    assert!(left.is_empty());
}

#[tokio::test]
async fn a_package_has_many_titles() {
    let library = library().await;
    let client = library.client().await;
    let order = made(&client, ORDERS, &json!({"poNumber": "C1"})).await;
    let mut line = stored_line(&text(&order["id"]), "C1-1");
    line["isPackage"] = json!(true);
    line["titleOrPackage"] = json!("All about rivers");
    let line = made(&client, LINES, &line).await;
    for name in ["One", "Two"] {
        let title = json!({"title": name, "poLineId": line["id"]});
        let title = made(&client, TITLES, &title).await;
        assert_eq!(title["packageName"], "All about rivers");
        assert_eq!(title["poLineNumber"], "C1-1");
    }
}

#[tokio::test]
async fn another_instance_takes_titles_and_pieces_along() {
    let library = library().await;
    let client = library.client().await;
    let order = made(&client, ORDERS, &json!({"poNumber": "D1"})).await;
    let [old, new, instance] = [new_id(), new_id(), new_id()];
    let mut line = stored_line(&text(&order["id"]), "D1-1");
    line["physical"] = json!({"createInventory": "Instance, Holding"});
    line["locations"] = json!([{"holdingId": old, "quantityPhysical": 1}]);
    let line = made(&client, LINES, &line).await;
    let path = format!("{LINES}/{}", text(&line["id"]));
    let titles = found(&client, TITLES, "cql.allRecords=1", "titles").await;
    let piece = json!({"format": "Physical", "poLineId": line["id"], "titleId": titles[0]["id"],
                       "receivingStatus": "Expected", "holdingId": old});
    let _ = made(&client, PIECES, &piece).await;
    let send = |body: serde_json::Value| {
        let request = client.request(reqwest::Method::PATCH, &path).json(&body);
        client.send(request)
    };
    let bare = json!({"operation": "Replace Instance Ref",
                      "replaceInstanceRef": {"newInstanceId": instance}});
    let refused = send(bare).await.expect(400);
    assert_eq!(
        refused.text,
        "ReplaceInstanceRef or Holdings is not present"
    );
    let body = json!({"operation": "Replace Instance Ref", "replaceInstanceRef": {
        "newInstanceId": instance,
        "holdings": [{"fromHoldingId": old, "toHoldingId": new}]}});
    let _ = send(body).await.expect(204);
    let line = client.get(&path).await.expect(200).json();
    assert_eq!(line["instanceId"], instance);
    assert_eq!(line["locations"][0]["holdingId"], new);
    let titles = found(&client, TITLES, "cql.allRecords=1", "titles").await;
    assert_eq!(titles[0]["instanceId"], instance);
    let pieces = found(&client, PIECES, "cql.allRecords=1", "pieces").await;
    assert_eq!(pieces[0]["holdingId"], new);
}

#[tokio::test]
async fn pieces_come_late() {
    let library = library().await;
    let client = library.client().await;
    let order = made(&client, ORDERS, &json!({"poNumber": "E1"})).await;
    let mut line = stored_line(&text(&order["id"]), "E1-1");
    line["claimingActive"] = json!(true);
    line["claimingInterval"] = json!(10);
    let line = made(&client, LINES, &line).await;
    let titles = found(&client, TITLES, "cql.allRecords=1", "titles").await;
    let piece = |summary: &str, status: &str, dates: serde_json::Value| {
        let mut piece = json!({"format": "Physical", "poLineId": line["id"],
                               "titleId": titles[0]["id"], "receivingStatus": status,
                               "displaySummary": summary});
        for (name, value) in dates.as_object().expect("an object") {
            piece[name] = value.clone();
        }
        piece
    };
    let pieces = json!({"totalRecords": 4, "pieces": [
        piece("old", "Expected", json!({"receiptDate": "2020-01-01"})),
        piece("new", "Expected", json!({"receiptDate": "2120-01-01"})),
        piece("claimed", "Claim sent",
              json!({"statusUpdatedDate": "2020-01-01", "claimingInterval": 3})),
        piece("received", "Received", json!({"receiptDate": "2020-01-01"})),
    ]});
    let stored = client.post("/orders-storage/pieces-batch", &pieces).await;
    assert_eq!(stored.expect(200).json()["totalRecords"], 4);
    let run = client
        .post("/orders-storage/claiming/process", &json!({}))
        .await;
    let _ = run.expect(200);
    let late = found(
        &client,
        PIECES,
        "receivingStatus==Late sortby displaySummary",
        "pieces",
    )
    .await;
    let names: Vec<_> = late
        .iter()
        .map(|piece| text(&piece["displaySummary"]))
        .collect();
    assert_eq!(names, ["claimed", "old"]);
}

#[tokio::test]
async fn small_lists_have_unique_names() {
    let library = library().await;
    let client = library.client().await;
    let page = client
        .get("/orders-storage/acquisition-methods?limit=100")
        .await;
    assert_eq!(page.expect(200).json()["totalRecords"], 13);
    let reasons = "/orders-storage/configuration/reasons-for-closure";
    let page = client.get(reasons).await.expect(200).json();
    assert_eq!(page["totalRecords"], 18);
    for (path, body, status) in [
        (
            "/orders-storage/configuration/prefixes",
            json!({"name": "pre"}),
            422,
        ),
        (
            "/orders-storage/configuration/suffixes",
            json!({"name": "suf"}),
            422,
        ),
        (reasons, json!({"reason": "No space"}), 422),
        (
            "/orders-storage/acquisition-methods",
            json!({"value": "By chance"}),
            400,
        ),
        (
            "/orders-storage/order-templates",
            json!({"templateName": "t", "x": 1}),
            422,
        ),
        (
            "/acquisitions-units-storage/units",
            json!({"name": "Main"}),
            422,
        ),
        (
            "/orders-storage/settings",
            json!({"key": "k", "value": "v"}),
            400,
        ),
        (
            "/orders-storage/export-history",
            json!({"exportJobId": new_id(), "exportType": "EDI", "exportDate": "2026-01-01"}),
            422,
        ),
    ] {
        let first = made(&client, path, &body).await;
        for (name, value) in body.as_object().expect("an object") {
            if name != "exportDate" {
                assert_eq!(&first[name], value, "{path}");
            }
        }
        let _ = client.post(path, &body).await.expect(status);
    }
    let code = json!({"code": "abc"});
    let _ = client
        .post("/orders-storage/reporting-codes", &code)
        .await
        .expect(422);
    let unit = json!({"userId": new_id(), "acquisitionsUnitId": new_id()});
    let _ = client
        .post("/acquisitions-units-storage/memberships", &unit)
        .await
        .expect(400);
}
